package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.UnreadableObjectException;
import dev.kubeinformer.internal.http.WarningLog;
import dev.kubeinformer.internal.reconcile.LoopDetector;
import dev.kubeinformer.internal.status.FailureLog;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.LogContext;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.workqueue.KeyRun;
import dev.kubeinformer.internal.workqueue.LoopListener;
import dev.kubeinformer.internal.workqueue.RunEnd;
import dev.kubeinformer.internal.workqueue.RunObservation;
import dev.kubeinformer.internal.workqueue.RunStep;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.ObjectKey;

/** Logs the events of a reconciler and notifies its listeners. */
final class ReconcilerReporter implements LoopListener, LoopDetector.Report {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerContainer.class);

	/** Maximum number of keys that a message names. */
	private static final int NAMED = 5;

	private final ReconcilerContainer container;

	private final ReconcilerSpec<?> spec;

	private final FailureLog log;

	private final LogContext context;

	private final Origins origins = new Origins();

	private final WarningLog warnings;

	/** Log of objects whose deletion cannot proceed. */
	private final FailureLog held;

	private final AtomicLong loops = new AtomicLong();

	private final AtomicLong lateCaches = new AtomicLong();

	/**
	 * Creates the reporter of a reconciler.
	 * @param container the reconciler
	 * @param cluster the cluster
	 * @param nanoTime the clock
	 */
	ReconcilerReporter(ReconcilerContainer container, ClusterName cluster, LongSupplier nanoTime) {
		this.container = container;
		this.spec = container.spec();
		this.log = new FailureLog(logger, nanoTime);
		this.context = LogContext.ofReconciler(container.id(), this.spec.type().name(), cluster.value());
		this.warnings = new WarningLog(logger,
				() -> "%s (field manager '%s')".formatted(container, PrintableText.of(this.spec.fieldManager())),
				nanoTime);
		this.held = new FailureLog(logger, nanoTime);
	}

	/**
	 * Asks each listener for the origin of a triggered run, such as the current trace
	 * span, and keeps it until the run.
	 * @param key the key
	 */
	void triggering(ObjectKey key) {
		Origins.Origin origin = new Origins.Origin();
		publish((listener) -> origin.add(listener, listener.triggering(this.container, key)));
		if (origin.isKnown()) {
			this.origins.keep(key, origin);
		}
	}

	@Override
	public RunObservation taken(KeyRun run) {
		return new ObservedRun(this.container, run, this.origins, this.context, this::listenerFailed);
	}

	@Override
	public void ended(KeyRun run, RunEnd end, Duration duration) {
		if (end instanceof RunEnd.Fenced) {
			logger.debug("{} ended its run of '{}' because its term is over", this.container,
					PrintableText.of(run.key().toString()));
		}
		Outcome outcome = outcome(run, end);
		if (outcome == null) {
			return;
		}
		ReconcileRun ended = new ReconcileRun(run.key(), run.attempt(), run.step().isCleanup(), run.lane(),
				run.queueTime(), duration, outcome.outcome(), outcome.error());
		if (run.observation() instanceof ObservedRun observed) {
			observed.ended(ended);
		}
		log(run, outcome);
		publish((listener) -> listener.ran(this.container, ended));
	}

	private static @Nullable Outcome outcome(KeyRun run, RunEnd end) {
		if (end instanceof RunEnd.Done) {
			return new Outcome(RunOutcome.DONE, null);
		}
		if (end instanceof RunEnd.RequeueAfter) {
			return new Outcome(RunOutcome.REQUEUE, null);
		}
		if (end instanceof RunEnd.Conflict conflict) {
			return new Outcome(RunOutcome.CONFLICT, conflict.cause());
		}
		if (end instanceof RunEnd.Failed failed) {
			return new Outcome(run.timedOut() ? RunOutcome.TIMEOUT : RunOutcome.ERROR, failed.cause());
		}
		if (end instanceof RunEnd.GaveUp gaveUp) {
			return new Outcome(RunOutcome.GAVE_UP, gaveUp.cause());
		}
		// There was no run, or it ended because the reconciler stopped or its term was
		// over.
		return null;
	}

	private void log(KeyRun run, Outcome outcome) {
		Throwable error = outcome.error();
		if (error == null) {
			return;
		}
		if (error instanceof UnreadableObjectException unreadable) {
			quarantined(run, unreadable);
			return;
		}
		String what = "%s%s of '%s'".formatted(this.container, step(run.step()),
				PrintableText.of(run.key().toString()));
		switch (outcome.outcome()) {
			case CONFLICT -> logger.debug("{} met a newer version ({})", what, error.getClass().getName());
			case GAVE_UP -> this.log.failed(what + " gave up", error);
			case TIMEOUT -> this.log.failedForNow("%s was cancelled after %d ms, in attempt %d".formatted(what,
					Durations.millis(this.spec.timeout()), run.attempt()), error);
			default -> this.log.failedForNow("%s failed in attempt %d".formatted(what, run.attempt()), error);
		}
	}

	private String step(RunStep step) {
		return switch (step) {
			case RECONCILE -> "";
			case CLEANUP -> ", the cleanup";
			case FINALIZER -> ", adding the finalizer '%s'".formatted(this.spec.finalizer());
			case REMOVAL -> ", removing the finalizer '%s' after the cleanup".formatted(this.spec.finalizer());
		};
	}

	private void quarantined(KeyRun run, UnreadableObjectException unreadable) {
		if (unreadable.isDeletionHeld()) {
			// Name every object, because a deletion waits for each of them.
			this.held.warn(run.key().toString(), "%s: %s".formatted(this.container, unreadable.getMessage()));
		}
		else if (run.attempt() == 1) {
			this.log.warn(UnreadableObjectException.class.getName(),
					"%s: %s".formatted(this.container, unreadable.getMessage()));
		}
	}

	@Override
	public void unparked(ObjectKey key, Duration waited, boolean seen) {
		if (!seen) {
			this.log.warn("own writes unseen",
					"%s ran for '%s' although the caches did not show its own writes in %d ms".formatted(this.container,
							PrintableText.of(key.toString()), waited.toMillis()));
		}
		publish((listener) -> listener.ownWritesAwaited(this.container, key, waited, seen));
	}

	@Override
	public void awaited(int runs) {
		long limit = Durations.millis(this.spec.drainTimeout());
		if (limit == 0) {
			return;
		}
		logger.info("{} stops; waits up to {} for {} {}", this.container, Durations.text(this.spec.drainTimeout()),
				runs, (runs == 1) ? "run" : "runs");
	}

	@Override
	public void interrupted(List<ObjectKey> keys) {
		String named = keys.stream()
			.limit(NAMED)
			.map((key) -> "'" + PrintableText.of(key.toString()) + "'")
			.collect(Collectors.joining(", "));
		int others = keys.size() - NAMED;
		logger.warn("{} was interrupted on {}{}: the drain timeout expired", this.container, named,
				(others > 0) ? " and %d more".formatted(others) : "");
	}

	@Override
	public void slowed(ObjectKey key, Duration interval) {
		// An error in the code affects every object, so log it once for all of them.
		this.log.warn("slowed down",
				"%s runs for '%s' again and again because of writes of this application; it is slowed down to one run in %d s at first, in 10 s if that goes on. If two writers undo each other's changes, let only one decide each field; if many of its children change at once, this ends by itself; a change of the spec by others is run at once"
					.formatted(this.container, PrintableText.of(key.toString()), interval.toSeconds()));
	}

	@Override
	public void released(ObjectKey key) {
		logger.debug("{} no longer slows down '{}'", this.container, PrintableText.of(key.toString()));
	}

	@Override
	public void loopDetected(ObjectKey key, String resource, String path) {
		this.loops.incrementAndGet();
		this.log.warn("loop of " + resource,
				"%s runs for '%s' again and again because of writes of this application: each changes '%s' of '%s'; write only what differs"
					.formatted(this.container, PrintableText.of(key.toString()), PrintableText.of(path), resource));
		publish((listener) -> listener.loopDetected(this.container, key, resource, path));
	}

	/**
	 * Reports an object that no longer matches the selector and keeps the finalizer.
	 * @param key the key of the object
	 */
	void stranded(ObjectKey key) {
		logger.warn(
				"{} does not select '{}' any more, but the object keeps the finalizer '{}': it is not cleaned up and cannot be deleted; let the selector match it again or remove the finalizer manually",
				this.container, PrintableText.of(key.toString()), this.spec.finalizer());
	}

	/**
	 * Reports a warning in the API server's response to a request of a run.
	 * @param resource the resource of the request
	 * @param text the warning, escaped and shortened
	 */
	void warned(String resource, String text) {
		this.warnings.warned(resource, text);
		publish((listener) -> listener.warningReceived(this.container, resource, text));
	}

	void cacheIsLate() {
		this.lateCaches.incrementAndGet();
	}

	void stateChanged(ReconcilerState state) {
		logger.debug("{} is {}", this.container, state);
		if (state == ReconcilerState.STOPPED || state == ReconcilerState.STANDBY) {
			// The keys of these origins are forgotten, or run for another reason after
			// the next start.
			this.origins.clear();
		}
		publish((listener) -> listener.stateChanged(this.container, state));
	}

	private void publish(Consumer<ReconcilerListener> call) {
		for (ReconcilerListener listener : this.spec.listeners()) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				listenerFailed(ex);
			}
		}
	}

	private void listenerFailed(Throwable failure) {
		this.log.failed("A listener of '%s' failed".formatted(this.container), failure);
	}

	long loops() {
		return this.loops.get();
	}

	long lateCaches() {
		return this.lateCaches.get();
	}

	/**
	 * Outcome of a run.
	 *
	 * @param outcome the outcome
	 * @param error the exception of the run; {@code null} if there was none
	 */
	private record Outcome(RunOutcome outcome, @Nullable Throwable error) {

	}

}
