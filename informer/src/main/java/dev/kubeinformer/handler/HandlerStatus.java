package dev.kubeinformer.handler;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The state of one handler at one moment.
 *
 * @param sync how far the handler is with the initial state
 * @param queue the events that wait for the handler
 * @param deliveries what became of the events that were delivered
 * @param paused whether delivery is paused
 * @param handling the event that the handler has been busy with for longest; {@code null}
 * if it is idle
 * @param lastError the last exception; {@code null} if there was none
 */
public record HandlerStatus(Sync sync, Queue queue, Deliveries deliveries, boolean paused, @Nullable Handling handling,
		@Nullable Failure lastError) {

	/**
	 * How far a handler is with the initial state.
	 *
	 * @param synced whether the handler has finished every event of the initial state
	 * @param syncedAt when it had; {@code null} before that
	 * @param everSynced whether the handler was synced at least once, also before a stop
	 * @param pendingInitial the number of events of the initial state that it has not
	 * finished; meaningful while {@code synced} is {@code false}
	 */
	public record Sync(boolean synced, @Nullable Instant syncedAt, boolean everSynced, int pendingInitial) {

	}

	/**
	 * The queue of a handler.
	 *
	 * @param size the number of events that wait
	 * @param waitingForRetry the number of events that wait after a failure; they count
	 * in {@code size} too
	 * @param merged the number of events that were merged into a waiting one
	 * @param dropped the number of events that were dropped because the handler was
	 * closed
	 */
	public record Queue(int size, int waitingForRetry, long merged, long dropped) {

	}

	/**
	 * What became of the events that were delivered to a handler.
	 *
	 * @param processed the number of events that were handled without an exception
	 * @param failed the number of attempts that threw an exception
	 * @param retries the number of attempts after the first of an event
	 * @param exhausted the number of events that were given up: they failed, and no
	 * further attempt was due
	 */
	public record Deliveries(long processed, long failed, long retries, long exhausted) {

	}

	/**
	 * An exception of a handler, without its message: that may quote an object.
	 *
	 * @param at when it was thrown
	 * @param exception the class name of the exception
	 * @param key the key of the object, {@code namespace/name}
	 */
	public record Failure(Instant at, String exception, String key) {

	}

	/**
	 * An event that is being handled.
	 *
	 * @param since since when
	 * @param key the key of the object, {@code namespace/name}
	 */
	public record Handling(Instant since, String key) {

	}

}
