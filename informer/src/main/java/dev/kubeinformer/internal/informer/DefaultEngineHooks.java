package dev.kubeinformer.internal.informer;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.LinkageProblem;
import dev.kubeinformer.internal.runtime.RuntimeHolder;
import dev.kubeinformer.internal.transport.WriteRecorder;
import dev.kubeinformer.spi.ClientMisfit;
import dev.kubeinformer.spi.EngineHooks;

/**
 * Gives the library's other modules access to one set of informers.
 *
 * @param pool the informers
 * @param link provides the client
 * @param writeRecorder records the writes of runs with clients of the application
 * @param closeReconcilers closes all reconcilers
 */
public record DefaultEngineHooks(InformerPool pool, RuntimeHolder link, WriteRecorder writeRecorder,
		Runnable closeReconcilers) implements EngineHooks {

	@Override
	public void checkClient(Consumer<? super ApiClient> check) {
		this.link.check(check);
	}

	@Override
	public void prepareCluster(Consumer<? super ApiClient> preparation) {
		this.link.prepare(preparation);
	}

	@Override
	public boolean hasListener(Object listener) {
		return this.pool.hasListener(listener);
	}

	@Override
	public boolean isInCallback() {
		return this.pool.isInCallback();
	}

	@Override
	public @Nullable ClientMisfit clientMisfit() {
		LinkageProblem problem = LinkageProblem.probe();
		return (problem != null) ? new ClientMisfit(problem.message(), problem.advice()) : null;
	}

	@Override
	public void discard() {
		this.pool.discard(this.closeReconcilers);
	}

	@Override
	public void recordWrites(ApiClient apiClient) {
		this.writeRecorder.install(apiClient);
	}

}
