package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;

/**
 * One observed call of a handler or reconciler. What goes wrong with the observation is
 * logged and is no failure of the call.
 *
 * @param <C> the type of the context
 * @param guard guards the call against the observation
 * @param observation the observation
 * @param context its context
 * @param started whether all of it was started
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
	 * Stops the observation, also if only some of it was started: what that began would
	 * never end.
	 */
	void stop() {
		this.guard.attempt("stop", this.observation::stop);
	}

}
