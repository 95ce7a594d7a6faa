package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of a handler in the endpoint. Times are in ISO 8601, UTC; numbers are
 * counted since the last start of the handler.
 *
 * @param id the id, prefixed with the cluster name unless that is the default cluster
 * @param cluster the name of the cluster; {@code null} if there is only the default
 * cluster
 * @param bean the name of the bean
 * @param methods the methods that are called, by type of event
 * @param informer the id of its informer
 * @param resource the resource, {@code plural[.group]}
 * @param state whether the handler receives events
 * @param autoStartup whether the handler starts with the application
 * @param readiness whether readiness waits for the handler
 * @param leaderOnly whether the handler receives events only while this replica leads
 * @param standby whether the handler is leader-only and running while this replica does
 * not lead
 * @param synced whether the handler has finished every event of the initial state
 * @param syncedAt the time at which the handler was synced; {@code null} before
 * @param pendingInitial the number of events of the initial state that are not finished
 * @param awaiting the ids of the informers whose caches delivery waits for
 * @param resync the period of the resync, such as {@code 10m}; {@code 0s} for none
 * @param concurrency the number of workers
 * @param queueCapacity the number of waiting events above which events of the same object
 * are merged
 * @param queueSize the number of events that wait
 * @param processed the number of events that were handled without an exception
 * @param failed the number of attempts that threw an exception
 * @param retries the number of attempts after the first of an event
 * @param exhausted the number of events that were given up after their last attempt
 * @param merged the number of events that were merged into a waiting one
 * @param waitingForRetry the number of events that wait for a retry
 * @param dropped the number of events that were dropped when the handler was stopped
 * @param handling the event that has been in progress for longest; {@code null} if the
 * handler is idle
 * @param lastError the last exception; {@code null} if there was none
 */
public record HandlerDescriptor(String id, @Nullable String cluster, String bean, Map<String, String> methods,
		String informer, String resource, State state, boolean autoStartup, boolean readiness, boolean leaderOnly,
		boolean standby, boolean synced, @Nullable String syncedAt, int pendingInitial, List<String> awaiting,
		String resync, int concurrency, int queueCapacity, int queueSize, long processed, long failed, long retries,
		long exhausted, long merged, int waitingForRetry, long dropped, @Nullable Handling handling,
		@Nullable Failure lastError) implements OperationResponseBody {

	/**
	 * State of the delivery to a handler.
	 */
	public enum State {

		/**
		 * Not started, or stopped.
		 */
		STOPPED,

		/**
		 * Added to its informer; events wait until it is resumed.
		 */
		PAUSED,

		/**
		 * Added to its informer; events are delivered.
		 */
		RUNNING

	}

	/**
	 * Event that is being handled.
	 *
	 * @param since the start of the handling
	 * @param object the key of the object, {@code namespace/name}
	 */
	public record Handling(String since, String object) {

	}

	/**
	 * Exception of a handler, without its message because that may quote an object.
	 *
	 * @param at the time at which it was thrown
	 * @param exception the class name of the exception
	 * @param object the key of the object, {@code namespace/name}
	 */
	public record Failure(String at, String exception, String object) {

	}

}
