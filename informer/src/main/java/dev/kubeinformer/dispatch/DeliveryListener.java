package dev.kubeinformer.dispatch;

import java.time.Duration;

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
	void delivered(Delivery<T> delivery, Outcome outcome, Duration waited, Duration duration);

	/**
	 * What becomes of an event is settled, also if nobody wants to be told of events.
	 * Called by its worker, outside of locks, soon after each {@link #synced()} that the
	 * event led to.
	 */
	void settled();

	/**
	 * How a call of a handler may end.
	 */
	enum Outcome {

		/** It returned. */
		HANDLED,

		/** It threw, and another attempt is due. */
		RETRY,

		/** It threw, and the event is given up. */
		EXHAUSTED,

		/** A stop interrupted it. */
		INTERRUPTED

	}

}
