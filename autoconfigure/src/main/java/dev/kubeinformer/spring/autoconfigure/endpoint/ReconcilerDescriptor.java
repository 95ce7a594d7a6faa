package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of a reconciler in the endpoint. Times are in ISO 8601, UTC.
 *
 * @param id the id, prefixed with the cluster name unless that is the default cluster
 * @param cluster the name of the cluster; {@code null} if there is only the default
 * cluster
 * @param bean the name of the bean; {@code null} if the reconciler is not a bean with
 * {@code @Reconciler}
 * @param primary the resource of the objects that are reconciled, {@code plural[.group]}
 * @param owned the resources of the objects that the primaries own
 * @param watched the resources of other objects whose changes trigger runs
 * @param state the state
 * @param since the time at which that state began; {@code null} if the reconciler was
 * never started
 * @param autoStartup whether the reconciler starts with the application
 * @param readiness whether readiness waits for the caches of the reconciler
 * @param leaderOnly whether the reconciler runs only while this replica leads
 * @param standby whether the reconciler is leader-only and started while this replica
 * does not lead
 * @param synced whether all caches are filled and current
 * @param sources the caches of the reconciler, that of its primaries first
 * @param queue the work queue
 * @param running the number of current runs
 * @param longestRunning the duration of the longest current run, such as {@code 12s}
 * @param runs the finished runs
 * @param loops the number of keys whose runs are all caused by their own writes
 * @param failingKeys the number of keys whose last run failed
 * @param longestFailing the keys that have been failing for longest, at most 20
 * @param failingFunctions the failing methods that map a change to keys, which are
 * therefore not queued
 * @param lastError the class of the last exception, and the key; {@code null} if there
 * was none
 * @param requiredRbac the missing RBAC rules
 * @param settings the settings
 */
public record ReconcilerDescriptor(String id, @Nullable String cluster, @Nullable String bean, String primary,
		List<String> owned, List<String> watched, String state, @Nullable String since, boolean autoStartup,
		boolean readiness, boolean leaderOnly, boolean standby, boolean synced, List<Source> sources, Queue queue,
		int running, String longestRunning, Runs runs, long loops, int failingKeys, List<Failing> longestFailing,
		List<FailingFunction> failingFunctions, @Nullable String lastError, List<String> requiredRbac,
		Settings settings) implements OperationResponseBody {

	/**
	 * Cache that runs wait for.
	 *
	 * @param informer the id of the informer
	 * @param resource the resource, {@code plural[.group]}
	 * @param role the role of the cache: {@code PRIMARY}, {@code OWNED} or
	 * {@code WATCHED}
	 * @param state the state of the informer
	 * @param synced whether the cache is filled and current
	 */
	public record Source(String informer, String resource, String role, String state, boolean synced) {

	}

	/**
	 * Work queue.
	 *
	 * @param ready the number of keys that wait for a worker, by lane
	 * @param oldestReadyAge the waiting time of the oldest ready key, such as {@code 12s}
	 * @param delayed the number of keys whose retry or requeue is not due yet
	 * @param parked the number of keys that wait until the caches show their own writes,
	 * because runs cannot use the responses to these writes
	 * @param slowed the number of keys that are slowed down because writes of this
	 * application cause their runs
	 * @param waiting the number of objects of which the caches have not shown a write of
	 * a run for longer than {@code own-writes.timeout}
	 */
	public record Queue(Map<String, Integer> ready, String oldestReadyAge, int delayed, int parked, int slowed,
			int waiting) {

	}

	/**
	 * Finished runs since the start of the application.
	 *
	 * @param total the number of all finished runs
	 * @param failed the number of failed runs, without conflicts
	 * @param conflicts the number of runs that ended with a conflict
	 * @param ownWriteTimeouts the number of runs that started before the caches showed
	 * all own writes, after the timeout
	 */
	public record Runs(long total, long failed, long conflicts, long ownWriteTimeouts) {

	}

	/**
	 * Failing key, without the message of the exception because that may quote an object.
	 *
	 * @param key the key, {@code namespace/name}
	 * @param attempts the number of failed runs in a row
	 * @param since the end of the first of these runs
	 * @param nextAttempt the time of the next attempt; {@code null} if the key waits for
	 * a worker, is running, or was given up
	 * @param exception the class name of the last exception
	 * @param cleanup whether the object is being deleted
	 * @param write the write that failed; {@code null} if no write failed
	 */
	public record Failing(String key, int attempts, String since, @Nullable String nextAttempt, String exception,
			boolean cleanup, @Nullable Write write) {

		/**
		 * Creates a failing key without a failed write, outside a cleanup.
		 * @param key the key
		 * @param attempts the number of failed runs in a row
		 * @param since the end of the first of them
		 * @param nextAttempt the time of the next attempt; {@code null} if unknown
		 * @param exception the class name of the last exception
		 */
		public Failing(String key, int attempts, String since, @Nullable String nextAttempt, String exception) {
			this(key, attempts, since, nextAttempt, exception, false, null);
		}

	}

	/**
	 * Failed write, without values of the object.
	 *
	 * @param verb the verb of RBAC
	 * @param resource the resource, {@code plural[.group]}, with its subresource
	 * @param kind the kind of the object
	 * @param key the object, {@code namespace/name}
	 * @param httpStatus the HTTP status; {@code null} if there was no response
	 * @param reason the reason of the API server; {@code null} for none
	 * @param refusedBy the webhook or policy that rejected the write; {@code null} if no
	 * webhook or policy did
	 * @param fields the first fields that the API server named
	 */
	public record Write(String verb, String resource, String kind, String key, @Nullable Integer httpStatus,
			@Nullable String reason, @Nullable String refusedBy, List<String> fields) {

	}

	/**
	 * Failing method or condition. Each change is retried until it succeeds. The message
	 * of the exception is omitted because it may quote an object.
	 *
	 * @param kind {@code MAPPER} for {@code @Watches}, {@code CONDITION} for the
	 * condition of {@code @Reconcile}
	 * @param resource the resource of the objects that the method is called with
	 * @param objects the number of objects that the method fails on
	 * @param failedAt the time of the last failure
	 * @param key the object of the last failure, {@code namespace/name}
	 * @param exception the class name of the last exception
	 */
	public record FailingFunction(String kind, String resource, int objects, String failedAt, String key,
			String exception) {

	}

	/**
	 * Settings of a reconciler. Durations have the format {@code 10m}; {@code 0s} means
	 * none.
	 *
	 * @param namespaces the namespaces; {@code *} for all
	 * @param labelSelector the label selector of primaries; {@code null} for none
	 * @param fieldSelector the field selector of primaries; {@code null} for none
	 * @param concurrency the number of workers
	 * @param resync the period of the resync
	 * @param timeout the time limit of a run
	 * @param minInterval the shortest interval between two runs of a key
	 * @param ownWritesTimeout the time in which caches must show own writes before they
	 * count as waiting
	 * @param fieldManager the field manager of server-side apply
	 * @param finalizer the finalizer of primaries; {@code null} if there is no cleanup
	 */
	public record Settings(List<String> namespaces, @Nullable String labelSelector, @Nullable String fieldSelector,
			int concurrency, String resync, String timeout, String minInterval, String ownWritesTimeout,
			String fieldManager, @Nullable String finalizer) {

	}

}
