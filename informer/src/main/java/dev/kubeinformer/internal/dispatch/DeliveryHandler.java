package dev.kubeinformer.internal.dispatch;

/**
 * User's code behind a queue.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface DeliveryHandler<T> {

	/**
	 * Handles one event.
	 * @param delivery the event
	 * @throws Exception if it could not be handled
	 */
	void handle(Delivery<T> delivery) throws Exception;

}
