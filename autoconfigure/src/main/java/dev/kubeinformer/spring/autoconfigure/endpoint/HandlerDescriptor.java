package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A handler as the endpoint shows it. Times are those of ISO 8601, in UTC; numbers count
 * since the handler was last started.
 *
 * @param id the id, with the name of the cluster before it unless that is the default one
 * @param cluster the name of the cluster; {@code null} where there is only the default
 * one
 * @param bean the name of the bean
 * @param methods the methods that are called, by type of event
 * @param informer the id of its informer
 * @param resource the resource, {@code plural[.group]}
 * @param state whether events are delivered to it
 * @param autoStartup whether it starts with the application
 * @param readiness whether readiness waits for it
 * @param leaderOnly whether events are delivered only while this replica leads
 * @param standby whether it runs and is leader-only, while this replica does not lead
 * @param synced whether it has finished every event of the initial state
 * @param syncedAt when it had; {@code null} before that
 * @param pendingInitial the number of events of the initial state that it has not
 * finished
 * @param awaiting the ids of the informers whose caches it waits for, before which no
 * event is delivered to it
 * @param resync the period of the resync, such as {@code 10m}; {@code 0s} for none
 * @param concurrency the number of workers
 * @param queueCapacity the number of waiting events after which events of the same object
 * are merged
 * @param queueSize the number of events that wait
 * @param processed the number of events that were handled without an exception
 * @param failed the number of attempts that threw an exception
 * @param retries the number of attempts after the first of an event
 * @param exhausted the number of events that were given up
 * @param merged the number of events that were merged into a waiting one
 * @param waitingForRetry the number of events that wait after a failure
 * @param dropped the number of events that were dropped when the handler was stopped
 * @param handling the event that it has been busy with for longest; {@code null} if it is
 * idle
 * @param lastError the last exception; {@code null} if there was none
 */
public record HandlerDescriptor(String id, @Nullable String cluster, String bean, Map<String, String> methods,
		String informer, String resource, State state, boolean autoStartup, boolean readiness, boolean leaderOnly,
		boolean standby, boolean synced, @Nullable String syncedAt, int pendingInitial, List<String> awaiting,
		String resync, int concurrency, int queueCapacity, int queueSize, long processed, long failed, long retries,
		long exhausted, long merged, int waitingForRetry, long dropped, @Nullable Handling handling,
		@Nullable Failure lastError) implements OperationResponseBody {

	/**
	 * Whether events are delivered to a handler.
	 */
	public enum State {

		/**
		 * Not started, or stopped.
		 */
		STOPPED,

		/**
		 * At its informer; events wait until it is resumed.
		 */
		PAUSED,

		/**
		 * At its informer; events are delivered.
		 */
		RUNNING

	}

	/**
	 * An event that is being handled.
	 *
	 * @param since since when
	 * @param object the key of the object, {@code namespace/name}
	 */
	public record Handling(String since, String object) {

	}

	/**
	 * An exception of a handler, without its message: that may quote an object.
	 *
	 * @param at when it was thrown
	 * @param exception the class name of the exception
	 * @param object the key of the object, {@code namespace/name}
	 */
	public record Failure(String at, String exception, String object) {

	}

}
