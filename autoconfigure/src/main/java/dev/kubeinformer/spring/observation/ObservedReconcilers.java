package dev.kubeinformer.spring.observation;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.reconciler.ReconcilerDecorator;
import dev.kubeinformer.types.ObjectKey;

/**
 * {@link ReconcilerDecorator} that observes each run. As a {@link ReconcilerListener} it
 * ends the observation when the outcome is known. The function alone does not determine
 * the outcome: a timeout appears there as an arbitrary exception, and the finalizer is
 * removed later.
 */
public final class ObservedReconcilers implements ReconcilerDecorator, ReconcilerListener {

	private static final ReconcilerObservationConvention DEFAULT = new DefaultReconcilerObservationConvention();

	private static final Set<RunOutcome> FAILURES = EnumSet.of(RunOutcome.ERROR, RunOutcome.GAVE_UP,
			RunOutcome.TIMEOUT);

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<? extends @Nullable ReconcilerObservationConvention> convention;

	private final BooleanSupplier multipleClusters;

	private final Map<String, ObservationGuard> guards = new ConcurrentHashMap<>();

	/** Active calls. Each key has at most one run. */
	private final Map<RunKey, ObservedCall<ReconcilerObservationContext>> active = new ConcurrentHashMap<>();

	/**
	 * Creates the decorator. The suppliers are not called before the first reconciler
	 * exists.
	 * @param registry the supplier of the registry
	 * @param convention the supplier of the convention, or of {@code null} for the
	 * default
	 * @param multipleClusters whether observations have the name of the cluster
	 */
	public ObservedReconcilers(Supplier<ObservationRegistry> registry,
			Supplier<? extends @Nullable ReconcilerObservationConvention> convention,
			BooleanSupplier multipleClusters) {
		this.registry = registry;
		this.convention = convention;
		this.multipleClusters = multipleClusters;
	}

	@Override
	public <T extends KubernetesObject> ReconcileFunction<T> decorate(ReconcileFunction<T> function, String id,
			ResourceType<T> type, boolean cleanup) {
		if (this.registry.get().isNoop()) {
			return function;
		}
		return (object, run) -> {
			RunKey key = new RunKey(ClusterScopedId.within(run.cluster(), id), run.key());
			if (isObserved(key)) {
				// A parent context has already decorated the function.
				return function.reconcile(object, run);
			}
			ObservedCall<ReconcilerObservationContext> call = start(key, type.name(), run.attempt(), cleanup);
			if (call == null) {
				return function.reconcile(object, run);
			}
			abandon(this.active.put(key, call));
			return call.inScope(() -> function.reconcile(object, run));
		};
	}

	private boolean isObserved(RunKey key) {
		Observation current = this.registry.get().getCurrentObservation();
		return current != null && current.getContextView() instanceof ReconcilerObservationContext context
				&& context.isOf(key.reconciler(), key.key());
	}

	private @Nullable ObservedCall<ReconcilerObservationContext> start(RunKey key, String resource, int attempt,
			boolean cleanup) {
		ReconcilerObservationContext context = new ReconcilerObservationContext(key.reconciler(), resource, key.key(),
				attempt, cleanup, this.multipleClusters.getAsBoolean());
		return guard(key.reconciler()).start(context, () -> ReconcilerObservation.RECONCILER
			.observation(this.convention.get(), DEFAULT, () -> context, this.registry.get()));
	}

	private ObservationGuard guard(ClusterScopedId id) {
		return this.guards.computeIfAbsent(id.whole(), (whole) -> new ObservationGuard(this.registry.get(),
				"reconciler '%s'".formatted(whole), "Objects are still reconciled"));
	}

	@Override
	public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
		RunKey key = new RunKey(ClusterScopedId.of(reconciler), run.key());
		ObservedCall<ReconcilerObservationContext> call = this.active.remove(key);
		if (call == null && run.error() != null && !this.registry.get().isNoop()) {
			// The run failed before the function was called, because the finalizer was
			// rejected.
			call = start(key, reconciler.spec().type().name(), run.attempt(), run.cleanup());
		}
		if (call != null) {
			end(call, run);
		}
	}

	/**
	 * Ends the observations of runs that ended with a stop or a term, because their
	 * outcomes are not reported.
	 */
	@Override
	public void stateChanged(ReconcilerContainer reconciler, ReconcilerState state) {
		if (state == ReconcilerState.STOPPED || state == ReconcilerState.STANDBY) {
			ClusterScopedId id = ClusterScopedId.of(reconciler);
			this.active.keySet()
				.stream()
				.filter((run) -> run.reconciler().equals(id))
				.forEach((run) -> abandon(this.active.remove(run)));
		}
	}

	private static void abandon(@Nullable ObservedCall<ReconcilerObservationContext> call) {
		if (call != null) {
			call.stop();
		}
	}

	private static void end(ObservedCall<ReconcilerObservationContext> call, ReconcileRun run) {
		call.context().ended(run);
		Throwable error = run.error();
		if (error != null && FAILURES.contains(run.outcome())) {
			call.failed(error);
		}
		call.stop();
	}

	private record RunKey(ClusterScopedId reconciler, ObjectKey key) {

	}

}
