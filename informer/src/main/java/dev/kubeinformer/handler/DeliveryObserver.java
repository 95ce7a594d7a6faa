package dev.kubeinformer.handler;

import org.jspecify.annotations.Nullable;

/**
 * Observes the deliveries to a handler, for example for tracing. Unlike a handler that
 * wraps another one, it also observes how a failure is logged and passed to the handler
 * of exhausted events. The workers of the handler call it, possibly several at once. An
 * exception of an observer is logged and does not fail the delivery.
 *
 * @see HandlerOptions#withObserver(DeliveryObserver)
 */
@FunctionalInterface
public interface DeliveryObserver {

	/**
	 * Called before the handler is called with an event. Each attempt is a separate
	 * delivery.
	 * @param event the event
	 * @return the scope of the delivery; {@code null} to not observe it
	 */
	@Nullable Scope delivering(ResourceEvent<?> event);

	/**
	 * Observes one delivery. It is closed exactly once, by the thread that opened it.
	 */
	interface Scope extends AutoCloseable {

		/**
		 * Called when the handler has returned or thrown an exception, before the outcome
		 * is reported and logged. Not called if the handler was not called, because the
		 * term of the leader was over.
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
