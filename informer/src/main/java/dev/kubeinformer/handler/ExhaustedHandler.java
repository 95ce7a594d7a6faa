package dev.kubeinformer.handler;

/**
 * Handler that is notified of events that are given up: a handler failed on them, and no
 * further attempt is due.
 */
@FunctionalInterface
public interface ExhaustedHandler {

	/**
	 * Takes one event, on the worker of the handler that failed. It is called once for
	 * each, and before any later event of the same object. The next event or resync of
	 * the object is handed to the handler again.
	 * @param event the event as it was handed over last
	 * @param cause the exception of the last attempt
	 */
	void exhausted(ResourceEvent<?> event, Throwable cause);

}
