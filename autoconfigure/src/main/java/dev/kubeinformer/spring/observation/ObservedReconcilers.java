package dev.kubeinformer.spring.observation;

import java.net.HttpURLConnection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
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
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.reconciler.ReconcilerDecorator;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * Observes each run of a reconciler, and each write of a run. The observation of a run
 * includes the requests that add or remove the finalizer, and the logging of the run's
 * failure. This class is a {@link ReconcilerListener}, because a decorated function
 * cannot see the outcome of a run: for the function, a timeout is an arbitrary exception,
 * and the finalizer is removed after the function has returned.
 */
public final class ObservedReconcilers implements ReconcilerDecorator, ReconcilerListener {

	private static final ReconcilerObservationConvention DEFAULT = new DefaultReconcilerObservationConvention();

	private static final ReconcilerWriteObservationConvention DEFAULT_WRITE = new DefaultReconcilerWriteObservationConvention();

	private static final Set<RunOutcome> FAILURES = EnumSet.of(RunOutcome.ERROR, RunOutcome.GAVE_UP,
			RunOutcome.TIMEOUT);

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<? extends @Nullable ReconcilerObservationConvention> convention;

	private final Supplier<? extends @Nullable ReconcilerWriteObservationConvention> writeConvention;

	private final BooleanSupplier multipleClusters;

	private final BooleanSupplier objectNames;

	private final Map<String, ObservationGuard> guards = new ConcurrentHashMap<>();

	/**
	 * Creates the listener with the default observations of writes, and with spans that
	 * do not have names of objects.
	 * @param registry the supplier of the registry
	 * @param convention the supplier of the convention, or of {@code null} for the
	 * default
	 * @param multipleClusters whether observations have the name of the cluster
	 */
	public ObservedReconcilers(Supplier<ObservationRegistry> registry,
			Supplier<? extends @Nullable ReconcilerObservationConvention> convention,
			BooleanSupplier multipleClusters) {
		this(registry, convention, () -> null, multipleClusters, () -> false);
	}

	/**
	 * Creates the listener. The suppliers are not called before the first run.
	 * @param registry the supplier of the registry
	 * @param convention the supplier of the convention, or of {@code null} for the
	 * default
	 * @param writeConvention the supplier of the convention of writes, or of {@code null}
	 * for the default
	 * @param multipleClusters whether observations have the name of the cluster
	 * @param objectNames whether spans have namespace and name of the object
	 */
	public ObservedReconcilers(Supplier<ObservationRegistry> registry,
			Supplier<? extends @Nullable ReconcilerObservationConvention> convention,
			Supplier<? extends @Nullable ReconcilerWriteObservationConvention> writeConvention,
			BooleanSupplier multipleClusters, BooleanSupplier objectNames) {
		this.registry = registry;
		this.convention = convention;
		this.writeConvention = writeConvention;
		this.multipleClusters = multipleClusters;
		this.objectNames = objectNames;
	}

	/**
	 * Returns the function itself: {@link #running} observes its runs.
	 */
	@Override
	public <T extends KubernetesObject> ReconcileFunction<T> decorate(ReconcileFunction<T> function, String id,
			ResourceType<T> type, boolean cleanup) {
		return function;
	}

	/**
	 * Returns the current observation, for example of a handler or of an HTTP request
	 * that triggers a run. The observation of the run becomes its child.
	 */
	@Override
	public @Nullable Object triggering(ReconcilerContainer reconciler, ObjectKey key) {
		return this.registry.get().getCurrentObservation();
	}

	@Override
	public @Nullable RunScope running(ReconcilerContainer reconciler, RunScope.Start run) {
		if (this.registry.get().isNoop()) {
			return null;
		}
		ClusterScopedId id = ClusterScopedId.of(reconciler);
		if (isObserved(id, run.key())) {
			// The listener of a parent context observes the run.
			return null;
		}
		ReconcilerObservationContext context = new ReconcilerObservationContext(id, reconciler.spec().type().name(),
				run.key(), run.attempt(), run.cleanup(), this.multipleClusters.getAsBoolean(),
				this.objectNames.getAsBoolean());
		if (run.origin() instanceof Observation origin) {
			context.setParentObservation(origin);
		}
		ObservationGuard guard = guard(id);
		ObservedCall<ReconcilerObservationContext> call = guard.start(context, () -> ReconcilerObservation.RECONCILER
			.observation(this.convention.get(), DEFAULT, () -> context, this.registry.get()));
		return (call != null) ? new ObservedRun(guard, call) : null;
	}

	private boolean isObserved(ClusterScopedId reconciler, ObjectKey key) {
		Observation current = this.registry.get().getCurrentObservation();
		return current != null && current.getContextView() instanceof ReconcilerObservationContext context
				&& context.isOf(reconciler, key);
	}

	private ObservationGuard guard(ClusterScopedId id) {
		return this.guards.computeIfAbsent(id.whole(), (whole) -> new ObservationGuard(this.registry.get(),
				"reconciler '%s'".formatted(whole), "Objects are still reconciled"));
	}

	/**
	 * Run with its observation.
	 */
	private final class ObservedRun implements RunScope {

		private final ObservationGuard guard;

		private final ObservedCall<ReconcilerObservationContext> call;

		ObservedRun(ObservationGuard guard, ObservedCall<ReconcilerObservationContext> call) {
			this.guard = guard;
			this.call = call;
		}

		@Override
		public @Nullable WriteScope writing(Write write, BiConsumer<String, String> headers) {
			ReconcilerObservationContext run = this.call.context();
			ReconcilerWriteObservationContext context = new ReconcilerWriteObservationContext(run.getReconciler(),
					write, headers, run.getCluster(), run.isObjectNamed());
			ObservedReconcilers owner = ObservedReconcilers.this;
			ObservedCall<ReconcilerWriteObservationContext> writing = this.guard.start(context,
					() -> ReconcilerWriteObservation.WRITE.observation(owner.writeConvention.get(), DEFAULT_WRITE,
							() -> context, owner.registry.get()));
			return (writing != null) ? new ObservedWrite(writing) : null;
		}

		@Override
		public void ended(ReconcileRun run) {
			this.call.context().ended(run);
			Throwable error = run.error();
			if (error != null && FAILURES.contains(run.outcome())) {
				this.call.failed(error);
			}
		}

		@Override
		public void close() {
			this.call.close();
		}

	}

	/**
	 * Write with its observation.
	 *
	 * @param call the observed request
	 */
	private record ObservedWrite(ObservedCall<ReconcilerWriteObservationContext> call) implements RunScope.WriteScope {

		@Override
		public void answered(int status) {
			this.call.context().answered(status);
			if (isFailure(status)) {
				this.call.refused(status);
			}
		}

		// A conflict is part of normal work, and so is the deletion of an object that no
		// longer exists.
		private boolean isFailure(int status) {
			boolean gone = status == HttpURLConnection.HTTP_NOT_FOUND && this.call.context().getVerb().equals("delete");
			return status >= HttpURLConnection.HTTP_MULT_CHOICE && status != HttpURLConnection.HTTP_CONFLICT && !gone;
		}

		@Override
		public void unanswered(@Nullable Problem problem, Throwable failure) {
			this.call.context().unanswered(problem, failure);
			this.call.failed(failure);
		}

		@Override
		public void close() {
			this.call.close();
		}

	}

}
