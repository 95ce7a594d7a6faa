package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.observation.DefaultReconcilerObservationConvention;
import dev.kubeinformer.spring.observation.DefaultReconcilerWriteObservationConvention;
import dev.kubeinformer.types.ObjectKey;

/**
 * {@link MeterBinder} for the reconcilers of an application. Meters stay when a
 * reconciler is stopped, and are removed with its cluster or the application context.
 * When a second cluster is added, all meters are replaced by meters with the additional
 * tag {@code cluster}.
 */
final class ReconcilerMetrics implements MeterBinder, ReconcilerListener, ClusterRuntimes.Listener, DisposableBean {

	private final Supplier<ClusterRuntimes> clusters;

	private final Supplier<? extends Iterable<ReconcilerContainer>> reconcilers;

	private final List<Binding> bindings = new CopyOnWriteArrayList<>();

	private final AtomicBoolean listening = new AtomicBoolean();

	/**
	 * Creates the binder. The suppliers are not called before the binder is bound to a
	 * {@code MeterRegistry}.
	 * @param clusters the supplier of the clusters
	 * @param reconcilers the supplier of the reconcilers that exist already. The binder
	 * is notified of later ones
	 */
	ReconcilerMetrics(Supplier<ClusterRuntimes> clusters,
			Supplier<? extends Iterable<ReconcilerContainer>> reconcilers) {
		this.clusters = clusters;
		this.reconcilers = reconcilers;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		ClusterRuntimes runtimes = this.clusters.get();
		Binding binding = new Binding(registry, new MetersByKey<>(ClusterTag.of(runtimes.isMultiple())));
		this.bindings.add(binding);
		if (this.listening.compareAndSet(false, true)) {
			runtimes.addListener(this);
		}
		// A cluster may have been added since the tag was determined.
		binding.tag(ClusterTag.of(runtimes.isMultiple()));
		this.reconcilers.get().forEach(binding::of);
	}

	@Override
	public void added(ClusterRuntime cluster) {
		ClusterTag tag = ClusterTag.of(this.clusters.get().isMultiple());
		this.bindings.forEach((binding) -> binding.tag(tag));
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		this.bindings.forEach((binding) -> binding.meters()
			.ban((reconciler) -> ClusterScopedId.of(reconciler).cluster().equals(cluster.name())));
	}

	@Override
	public void stateChanged(ReconcilerContainer reconciler, ReconcilerState state) {
		each(reconciler, (meters) -> {
		});
	}

	@Override
	public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
		each(reconciler, (meters) -> meters.ran(run));
	}

	@Override
	public void ownWritesAwaited(ReconcilerContainer reconciler, ObjectKey key, Duration waited, boolean seen) {
		each(reconciler, (meters) -> meters.ownWritesAwaited(waited, seen));
	}

	@Override
	public void loopDetected(ReconcilerContainer reconciler, ObjectKey key, String resource, String path) {
		each(reconciler, ReconcilerMeters::loopDetected);
	}

	@Override
	public void warningReceived(ReconcilerContainer reconciler, String resource, String warning) {
		each(reconciler, ReconcilerMeters::warned);
	}

	private void each(ReconcilerContainer reconciler, Consumer<ReconcilerMeters> action) {
		for (Binding binding : this.bindings) {
			ReconcilerMeters meters = binding.of(reconciler);
			if (meters != null) {
				action.accept(meters);
			}
		}
	}

	@Override
	public void destroy() {
		if (this.listening.get()) {
			this.clusters.get().removeListener(this);
		}
		this.bindings.forEach((binding) -> binding.meters().close());
	}

	/**
	 * Meters of the reconcilers in a registry.
	 *
	 * @param registry the registry
	 * @param meters the meters by reconciler id
	 */
	private record Binding(MeterRegistry registry, MetersByKey<ReconcilerContainer, ReconcilerMeters> meters) {

		@Nullable ReconcilerMeters of(ReconcilerContainer reconciler) {
			return this.meters.get(reconciler.id(), reconciler,
					(tag) -> new ReconcilerMeters(this.registry, tag, reconciler));
		}

		void tag(ClusterTag wanted) {
			this.meters.tag(wanted, () -> {
				ObservedTimers.of(DefaultReconcilerObservationConvention.NAME).removeFrom(this.registry);
				ObservedTimers.of(DefaultReconcilerWriteObservationConvention.NAME).removeFrom(this.registry);
			}, (tag, reconciler) -> new ReconcilerMeters(this.registry, tag, reconciler));
		}

	}

}
