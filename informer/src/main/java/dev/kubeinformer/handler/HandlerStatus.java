package dev.kubeinformer.handler;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Status of a handler at one moment.
 *
 * @param sync the progress through the initial state
 * @param queue the events that wait for delivery
 * @param deliveries the outcomes of the deliveries
 * @param paused {@code true} if delivery is paused
 * @param handling the event that has been in progress for longest; {@code null} if the
 * handler is idle
 * @param lastError the last exception; {@code null} if there was none
 */
public record HandlerStatus(Sync sync, Queue queue, Deliveries deliveries, boolean paused, @Nullable Handling handling,
		@Nullable Failure lastError) {

	/**
	 * Progress of a handler through the initial state.
	 *
	 * @param synced {@code true} if the handler has finished every event of the initial
	 * state
	 * @param syncedAt the time at which the handler was synced; {@code null} before
	 * @param everSynced {@code true} if the handler was synced at least once, even before
	 * a stop
	 * @param pendingInitial the number of events of the initial state that the handler
	 * has not finished; meaningful while {@code synced} is {@code false}
	 */
	public record Sync(boolean synced, @Nullable Instant syncedAt, boolean everSynced, int pendingInitial) {

	}

	/**
	 * Queue of a handler.
	 *
	 * @param size the number of events that wait
	 * @param waitingForRetry the number of these events that wait for a retry
	 * @param merged the number of events that were merged into a waiting one
	 * @param dropped the number of events that were dropped because the handler was
	 * closed
	 */
	public record Queue(int size, int waitingForRetry, long merged, long dropped) {

	}

	/**
	 * Outcomes of the deliveries to a handler.
	 *
	 * @param processed the number of events that were handled without an exception
	 * @param failed the number of attempts that threw an exception
	 * @param retries the number of attempts after the first of an event
	 * @param exhausted the number of events that failed and had no further attempt
	 */
	public record Deliveries(long processed, long failed, long retries, long exhausted) {

	}

	/**
	 * Exception of a handler, without its message because that may quote an object.
	 *
	 * @param at the time at which it was thrown
	 * @param exception the class name of the exception
	 * @param key the key of the object, {@code namespace/name}
	 */
	public record Failure(Instant at, String exception, String key) {

	}

	/**
	 * Event that is being handled.
	 *
	 * @param since the start of the handling
	 * @param key the key of the object, {@code namespace/name}
	 */
	public record Handling(Instant since, String key) {

	}

}
