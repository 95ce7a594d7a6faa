package dev.kubeinformer.handler;

/**
 * Handler of exhausted events: those on which a handler failed and for which no further
 * attempt is due.
 */
@FunctionalInterface
public interface ExhaustedHandler {

	/**
	 * Handles one exhausted event on a worker of the failed handler. Called once per
	 * event, before any later event of the same object. The next event or resync of the
	 * object is delivered to the failed handler as usual.
	 * @param event the event of the last delivery
	 * @param cause the exception of the last attempt
	 */
	void exhausted(ResourceEvent<?> event, Throwable cause);

}
