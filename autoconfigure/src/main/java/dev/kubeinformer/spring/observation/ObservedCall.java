package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;

/**
 * Observed call of a handler or reconciler. A failure of the observation is logged and
 * does not fail the call.
 *
 * @param <C> the type of the context
 * @param guard the guard against failures of the observation
 * @param observation the observation
 * @param context its context
 * @param started {@code true} if the observation was started completely
 */
record ObservedCall<C extends Observation.Context>(ObservationGuard guard, Observation observation, C context,
		boolean started) {

	<R> R inScope(ObservationGuard.Work<R> work) throws Exception {
		return this.guard.inScope(this.started ? this.observation : null, work);
	}

	void failed(Throwable failure) {
		this.guard.attempt("error", () -> this.observation.error(new HandlerFailure(failure)));
	}

	/**
	 * Stops the observation, even if it was started only partly, because the started
	 * parts would otherwise never end.
	 */
	void stop() {
		this.guard.attempt("stop", this.observation::stop);
	}

}
