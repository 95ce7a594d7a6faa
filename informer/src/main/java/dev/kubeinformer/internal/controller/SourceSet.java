package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.informer.PartitionProbe;
import dev.kubeinformer.internal.runtime.InformerRuntime;

/**
 * Sources that a reconciler uses for a time. Others may use the same informers. Safe for
 * use by several threads.
 */
final class SourceSet implements AutoCloseable {

	/** Short, because tests wait for it again and again. */
	private static final Duration GLANCE = Duration.ofMillis(20);

	private final ControllerContext context;

	private final List<ControllerSource<?>> sources = new CopyOnWriteArrayList<>();

	SourceSet(ControllerContext context) {
		this.context = context;
	}

	/**
	 * Adds a source.
	 * @param <C> the model class
	 * @param role what the reconciler uses it for
	 * @param wanted the informer
	 * @return the source
	 */
	<C extends KubernetesObject> ControllerSource<C> lease(ReconcilerSource.Role role, InformerSpec<C> wanted) {
		ControllerSource<C> source = new ControllerSource<>(role, this.context.informers().lease(wanted));
		this.sources.add(source);
		return source;
	}

	List<ControllerSource<?>> all() {
		return List.copyOf(this.sources);
	}

	/**
	 * Starts the informers, where they do not run.
	 */
	void run() {
		this.sources.forEach((source) -> source.informer().run());
	}

	/**
	 * Returns the sources.
	 * @return their status, the primary first
	 */
	List<ReconcilerSource> status() {
		return this.sources.stream().map(ControllerSource::status).toList();
	}

	/**
	 * Returns the functions of users that fail.
	 * @return the functions
	 */
	List<FailingFunction> failing() {
		return this.sources.stream().flatMap((source) -> source.failing().stream()).toList();
	}

	/**
	 * Waits until all caches show what the API server holds now.
	 * @param left how long to wait at most
	 * @return whether they do
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean isCurrent(Supplier<Duration> left) throws InterruptedException {
		InformerRuntime runtime = this.context.link().current();
		if (runtime == null) {
			return false;
		}
		for (ControllerSource<?> source : this.sources) {
			for (PartitionProbe<?> probe : source.probes(runtime, this.context.clocks().nanoTime())) {
				if (!probe.await(GLANCE, left.get())) {
					return false;
				}
			}
		}
		return true;
	}

	boolean hasMappedAll() {
		return this.sources.stream().allMatch(ControllerSource::hasHandledAll);
	}

	boolean isInCallback() {
		return this.sources.stream().anyMatch((source) -> source.informer().lifecycle().isInCallback());
	}

	/**
	 * Disconnects the sources, and stops their informers unless others use them.
	 */
	@Override
	public void close() {
		Throwable failure = null;
		for (ControllerSource<?> source : this.sources) {
			try {
				source.close();
			}
			catch (Throwable ex) {
				failure = (failure != null) ? failure : ex;
			}
		}
		if (failure instanceof RuntimeException ex) {
			throw ex;
		}
		if (failure instanceof Error ex) {
			throw ex;
		}
	}

}
