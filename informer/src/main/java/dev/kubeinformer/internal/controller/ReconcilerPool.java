package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.transport.WriteRecorder;

/** Reconcilers on the informers of an application. Safe for use by several threads. */
public final class ReconcilerPool implements ReconcilerRegistry {

	private final ControllerContext context;

	private final Map<String, DefaultReconcilerContainer<?>> containers = new LinkedHashMap<>();

	/** Specs of all informers that have ever been a source of a reconciler. */
	private final Set<InformerSpec<?>> sources = ConcurrentHashMap.newKeySet();

	public ReconcilerPool(ControllerContext context) {
		this.context = context;
	}

	public WriteRecorder writeRecorder() {
		return this.context.writeRecorder();
	}

	public <T extends KubernetesObject> ReconcilerContainer add(ReconcilerSpec<T> spec) {
		DefaultReconcilerContainer<T> container = new DefaultReconcilerContainer<>(spec, this.context, this::remove);
		synchronized (this.containers) {
			if (this.containers.putIfAbsent(container.id(), container) != null) {
				throw new IllegalArgumentException(
						"There is a reconciler with the id '%s' already; start and stop that one, or choose another id"
							.formatted(container.id()));
			}
		}
		this.sources.addAll(SourceSet.specs(spec));
		return container;
	}

	private void remove(ReconcilerContainer reconciler) {
		synchronized (this.containers) {
			this.containers.remove(reconciler.id(), reconciler);
		}
	}

	/**
	 * Returns whether an informer is a source of a reconciler. The first list of such an
	 * informer requests the most recent state. Otherwise an API server that lags behind
	 * could return a state without the children that an earlier process has created. A
	 * run would then create them again.
	 * @param spec the spec of the informer
	 * @return {@code true} if the informer is a source
	 */
	public boolean isSource(InformerSpec<?> spec) {
		return this.sources.contains(spec);
	}

	@Override
	public ReconcilerContainer get(String id) {
		synchronized (this.containers) {
			ReconcilerContainer container = this.containers.get(id);
			if (container == null) {
				throw new IllegalArgumentException("No reconciler has the id '%s'; the reconcilers are %s".formatted(id,
						List.copyOf(this.containers.keySet())));
			}
			return container;
		}
	}

	@Override
	public Collection<ReconcilerContainer> all() {
		return List.copyOf(list());
	}

	private List<DefaultReconcilerContainer<?>> list() {
		synchronized (this.containers) {
			return List.copyOf(this.containers.values());
		}
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		return new IdleAwaiter(list(), this.context.clocks().nanoTime()).await(timeout);
	}

}
