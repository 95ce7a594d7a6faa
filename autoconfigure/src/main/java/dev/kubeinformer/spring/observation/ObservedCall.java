package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Observation of a call of a handler or reconciler, or of a request of a run. A failure
 * of the observation is logged and does not fail the call.
 *
 * @param <C> the type of the context
 * @param guard the guard against failures of the observation
 * @param observation the observation
 * @param context its context
 * @param scope the scope of the calling thread; {@code null} if it could not be opened
 */
record ObservedCall<C extends Observation.Context>(ObservationGuard guard, Observation observation, C context,
		ObservationGuard.@Nullable OpenScope scope) {

	void failed(Throwable failure) {
		this.guard.attempt("error", () -> this.observation.error(new HandlerFailure(failure)));
	}

	/**
	 * Marks the observation of a request as failed.
	 * @param status the HTTP status of the response
	 */
	void refused(int status) {
		this.guard.attempt("error", () -> this.observation.error(new HandlerFailure("HTTP " + status)));
	}

	/**
	 * Closes the scope and stops the observation. Stops it even if its start failed,
	 * because parts that were started would otherwise never end.
	 */
	void close() {
		if (this.scope != null) {
			this.guard.close(this.scope);
		}
		this.guard.attempt("stop", this.observation::stop);
	}

}
