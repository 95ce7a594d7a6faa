package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import dev.kubeinformer.types.HandlingOutcome;

/**
 * Listener that is notified of the outcome of one handler's events.
 *
 * @param <T> the model class
 */
public interface DeliveryListener<T> {

	/**
	 * Returns whether {@link #delivered} is to be called.
	 * @return whether it is
	 */
	boolean isActive();

	/**
	 * Called when the handler has finished the initial state. Called under locks: it must
	 * neither block nor call user code.
	 */
	void synced();

	/**
	 * Called after the handler was called with an event, by its worker, outside of locks,
	 * and before the handler is called with the next event of the object.
	 * @param delivery the event
	 * @param outcome how it ended
	 * @param waited how long the event waited since it was queued or failed
	 * @param duration how long the handler took
	 */
	void delivered(Delivery<T> delivery, HandlingOutcome outcome, Duration waited, Duration duration);

	/**
	 * Called when the outcome of an event is settled, also if the listener is not active;
	 * by the worker, outside of locks, soon after each {@link #synced()} that the event
	 * led to.
	 */
	void settled();

}
