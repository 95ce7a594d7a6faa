package dev.kubeinformer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The state of one handler at one moment.
 *
 * @param synced whether the handler has finished every event of the initial state
 * @param syncedAt when it had; {@code null} before that
 * @param pendingInitial the number of events of the initial state that it has not
 * finished; meaningful while {@code synced} is {@code false}
 * @param queueSize the number of events that wait
 * @param processed the number of events that were handled without an exception
 * @param failed the number of attempts that threw an exception
 * @param merged the number of events that were merged into a waiting one
 * @param retries the number of attempts after the first of an event
 * @param exhausted the number of events that were given up: they failed, and no further
 * attempt was due
 * @param waitingForRetry the number of events that wait after a failure; they count in
 * {@code queueSize} too
 * @param dropped the number of events that were dropped because the handler was closed
 * @param paused whether delivery is paused
 * @param lastError the last exception; {@code null} if there was none
 * @param handling the event that the handler has been busy with for longest; {@code null}
 * if it is idle
 * @param everSynced whether the handler was synced at least once, also before a stop
 */
public record HandlerStatus(boolean synced, @Nullable Instant syncedAt, int pendingInitial, int queueSize,
		long processed, long failed, long merged, long retries, long exhausted, int waitingForRetry, long dropped,
		boolean paused, @Nullable Failure lastError, @Nullable Handling handling, boolean everSynced) {

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
