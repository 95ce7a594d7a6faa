package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
import dev.kubeinformer.types.ObjectKey;

/**
 * A {@link MeterBinder} for the reconcilers of an application. Their meters stay when a
 * reconciler is stopped, and go with the application context.
 */
final class ReconcilerMetrics implements MeterBinder, ReconcilerListener, DisposableBean {

	private final Supplier<? extends Iterable<ReconcilerContainer>> reconcilers;

	private final List<Binding> bindings = new CopyOnWriteArrayList<>();

	/**
	 * Creates the binder.
	 * @param reconcilers gives the reconcilers, as far as there are some yet; the others
	 * are known by what they report
	 */
	ReconcilerMetrics(Supplier<? extends Iterable<ReconcilerContainer>> reconcilers) {
		this.reconcilers = reconcilers;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Binding binding = new Binding(registry);
		this.bindings.add(binding);
		this.reconcilers.get().forEach(binding::of);
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
		this.bindings.forEach(Binding::close);
	}

	/**
	 * The meters in one registry.
	 */
	private static final class Binding {

		private final MeterRegistry registry;

		private final Map<String, ReconcilerMeters> meters = new ConcurrentHashMap<>();

		private volatile boolean closed;

		Binding(MeterRegistry registry) {
			this.registry = registry;
		}

		@Nullable ReconcilerMeters of(ReconcilerContainer reconciler) {
			ReconcilerMeters known = this.meters.get(reconciler.id());
			return (known != null && known.isOf(reconciler)) ? known
					: this.meters.compute(reconciler.id(), (id, present) -> replaced(present, reconciler));
		}

		private @Nullable ReconcilerMeters replaced(@Nullable ReconcilerMeters present,
				ReconcilerContainer reconciler) {
			if (this.closed || (present != null && present.isOf(reconciler))) {
				return present;
			}
			if (present != null) {
				present.remove();
			}
			return new ReconcilerMeters(this.registry, reconciler);
		}

		void close() {
			// A run that ignores its interrupt may end later.
			this.closed = true;
			this.meters.keySet().forEach((id) -> this.meters.computeIfPresent(id, (key, present) -> {
				present.removeAll();
				return null;
			}));
		}

	}

}
