package dev.kubeinformer.internal.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.controller.RunScope.WriteScope;
import dev.kubeinformer.internal.text.LogContext;
import dev.kubeinformer.internal.workqueue.KeyRun;
import dev.kubeinformer.internal.workqueue.RunObservation;
import dev.kubeinformer.types.Problem;

/**
 * Sets the logging context of a run, and opens a scope for each listener, for example the
 * scope of a trace span. Scopes are closed in the reverse order of their opening.
 */
final class ObservedRun implements RunObservation {

	private final ReconcilerContainer container;

	private final KeyRun run;

	private final Origins origins;

	private final Origins.@Nullable Origin origin;

	private final Consumer<Throwable> failures;

	private final LogContext.Scope logged;

	private final List<RunScope> scopes = new ArrayList<>(1);

	private boolean begun;

	private boolean closed;

	/**
	 * Sets the logging context of the calling thread.
	 * @param container the reconciler
	 * @param run the run
	 * @param origins the origins of triggered runs
	 * @param log the logging context of the reconciler
	 * @param failures reports the failures of listeners
	 */
	ObservedRun(ReconcilerContainer container, KeyRun run, Origins origins, LogContext log,
			Consumer<Throwable> failures) {
		this.container = container;
		this.run = run;
		this.origins = origins;
		this.origin = origins.take(run.key());
		this.failures = failures;
		this.logged = log.open(run.key().namespace(), run.key().name(), run.attempt());
	}

	@Override
	public void begin() {
		if (this.begun || this.closed) {
			return;
		}
		this.begun = true;
		for (ReconcilerListener listener : this.container.spec().listeners()) {
			Object from = (this.origin != null) ? this.origin.of(listener) : null;
			RunScope scope = guarded(() -> listener.running(this.container,
					new RunScope.Start(this.run.key(), this.run.attempt(), this.run.step().isCleanup(), from)));
			if (scope != null) {
				this.scopes.add(scope);
			}
		}
	}

	@Override
	public @Nullable WriteScope writing(RunScope.Write write, BiConsumer<String, String> headers) {
		List<WriteScope> opened = new ArrayList<>(1);
		for (RunScope scope : this.scopes) {
			WriteScope writing = guarded(() -> scope.writing(write, headers));
			if (writing != null) {
				opened.add(writing);
			}
		}
		return opened.isEmpty() ? null : new Writing(opened);
	}

	@Override
	public void postponed() {
		// Keep the origin even after the finalizer was added, because the reconciler has
		// not run yet.
		if (this.origin != null) {
			this.origins.keep(this.run.key(), this.origin);
		}
	}

	/**
	 * Tells the scopes that listeners have opened how the run ended.
	 * @param outcome the run with its outcome
	 */
	void ended(ReconcileRun outcome) {
		this.scopes.forEach((scope) -> guard(() -> scope.ended(outcome)));
	}

	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		for (int i = this.scopes.size() - 1; i >= 0; i--) {
			guard(this.scopes.get(i)::close);
		}
		this.logged.close();
	}

	private void guard(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			this.failures.accept(ex);
		}
	}

	private <R> @Nullable R guarded(Supplier<? extends @Nullable R> call) {
		try {
			return call.get();
		}
		catch (Throwable ex) {
			this.failures.accept(ex);
			return null;
		}
	}

	/**
	 * All scopes that listeners have opened for one write.
	 */
	private final class Writing implements WriteScope {

		private final List<WriteScope> opened;

		Writing(List<WriteScope> opened) {
			this.opened = opened;
		}

		@Override
		public void answered(int status) {
			this.opened.forEach((scope) -> guard(() -> scope.answered(status)));
		}

		@Override
		public void unanswered(@Nullable Problem problem, Throwable failure) {
			this.opened.forEach((scope) -> guard(() -> scope.unanswered(problem, failure)));
		}

		@Override
		public void close() {
			for (int i = this.opened.size() - 1; i >= 0; i--) {
				guard(this.opened.get(i)::close);
			}
		}

	}

}
