package dev.kubeinformer.handler;

import org.jspecify.annotations.Nullable;

/**
 * Observer of the deliveries to a handler, such as for tracing. Unlike a decorated
 * handler, it surrounds the log of a failure and the handler of exhausted events too.
 * Called by the workers of the handler, possibly by several at once. An exception of an
 * observer is logged and does not fail the delivery.
 *
 * @see HandlerOptions#withObserver(DeliveryObserver)
 */
@FunctionalInterface
public interface DeliveryObserver {

	/**
	 * Called before the handler is called with an event. Each attempt is a delivery of
	 * its own.
	 * @param event the event
	 * @return the scope of the delivery; {@code null} to not observe it
	 */
	@Nullable Scope delivering(ResourceEvent<?> event);

	/**
	 * Scope of a delivery. It is closed by the thread that opened it, exactly once.
	 */
	interface Scope extends AutoCloseable {

		/**
		 * Called when the handler has returned or thrown an exception, before that is
		 * reported and logged. Not called if the handler was not called, because the term
		 * of the leader was over.
		 * @param failure the exception; {@code null} if the handler returned
		 */
		void handled(@Nullable Throwable failure);

		/**
		 * Called when the outcome has been reported and a failure has been logged.
		 */
		@Override
		void close();

	}

}
