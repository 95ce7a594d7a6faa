package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import dev.kubeinformer.types.HandlingOutcome;

/**
 * Is told what becomes of the events of one handler.
 *
 * @param <T> the model class
 */
public interface DeliveryListener<T> {

	/**
	 * Whether it wants to be told of events.
	 * @return whether it does
	 */
	boolean isActive();

	/**
	 * The handler has finished the initial state. Called under locks: it must neither
	 * block nor call user code.
	 */
	void synced();

	/**
	 * The handler was called with an event. Called by its worker, outside of locks, and
	 * before the handler is called with the next event of the object.
	 * @param delivery the event
	 * @param outcome how it ended
	 * @param waited how long the event waited since it was queued or failed
	 * @param duration how long the handler took
	 */
	void delivered(Delivery<T> delivery, HandlingOutcome outcome, Duration waited, Duration duration);

	/**
	 * What becomes of an event is settled, also if nobody wants to be told of events.
	 * Called by its worker, outside of locks, soon after each {@link #synced()} that the
	 * event led to.
	 */
	void settled();

}
