package dev.kubeinformer.internal.informer;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.LinkageProblem;
import dev.kubeinformer.internal.runtime.ClientLink;
import dev.kubeinformer.internal.transport.WriteRecorder;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spi.ClientMisfit;
import dev.kubeinformer.spi.EngineHooks;

/**
 * The hooks of one set of informers.
 *
 * @param pool the informers
 * @param link the client
 * @param writeRecorder records what runs write with clients of the application
 * @param closeReconcilers closes all reconcilers
 */
public record Hooks(InformerPool pool, ClientLink link, WriteRecorder writeRecorder,
		Runnable closeReconcilers) implements EngineHooks {

	@Override
	public void checkClient(Consumer<? super ApiClient> check) {
		this.link.check(check);
	}

	@Override
	public void modelDefaults(Function<ResourceType<?>, @Nullable TransformFunc> transform,
			Function<ResourceType<?>, Map<String, Function<KubernetesObject, List<String>>>> indexers) {
		this.pool.adopt(new ModelDefaults.Source(transform, indexers));
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
