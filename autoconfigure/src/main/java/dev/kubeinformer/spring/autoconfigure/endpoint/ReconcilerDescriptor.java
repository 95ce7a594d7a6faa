package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A reconciler as the endpoint shows it. Times are those of ISO 8601, in UTC.
 *
 * @param id the id, with the name of the cluster before it unless that is the default one
 * @param cluster the name of the cluster; {@code null} where there is only the default
 * one
 * @param bean the name of the bean; {@code null} if it is no bean with
 * {@code @Reconciler}
 * @param primary the resource of the objects that are reconciled, {@code plural[.group]}
 * @param owned the resources of the objects that these own
 * @param watched the resources of other objects whose changes lead to runs
 * @param state what it is doing
 * @param since since when it is in that state; {@code null} if it was never started
 * @param autoStartup whether it starts with the application
 * @param readiness whether readiness waits for its caches
 * @param leaderOnly whether it runs only while this replica leads
 * @param standby whether it is started and leader-only, while this replica does not lead
 * @param synced whether all caches are filled and up to date
 * @param sources its caches, the primary's first
 * @param queue the keys that wait for a worker
 * @param running the number of runs at this moment
 * @param longestRunning the time of the longest of these, such as {@code 12s}
 * @param runs the runs that have ended
 * @param loops the number of keys whose runs are all caused by their own writes
 * @param failingKeys the number of keys whose last run failed
 * @param longestFailing the keys that fail for longest, at most 20
 * @param failingFunctions the methods that say what a change means for the queue and that
 * fail: keys that it concerns are not queued
 * @param lastError the class of the last exception, and the key; {@code null} if there
 * was none
 * @param requiredRbac the RBAC rules that are missing
 * @param settings how it runs
 */
public record ReconcilerDescriptor(String id, @Nullable String cluster, @Nullable String bean, String primary,
		List<String> owned, List<String> watched, String state, @Nullable String since, boolean autoStartup,
		boolean readiness, boolean leaderOnly, boolean standby, boolean synced, List<Source> sources, Queue queue,
		int running, String longestRunning, Runs runs, long loops, int failingKeys, List<Failing> longestFailing,
		List<FailingFunction> failingFunctions, @Nullable String lastError, List<String> requiredRbac,
		Settings settings) implements OperationResponseBody {

	/**
	 * A cache that runs wait for.
	 *
	 * @param informer the id of the informer
	 * @param resource the resource, {@code plural[.group]}
	 * @param role why the reconciler has it: {@code PRIMARY}, {@code OWNED} or
	 * {@code WATCHED}
	 * @param state what the informer is doing
	 * @param synced whether the cache is filled and up to date
	 */
	public record Source(String informer, String resource, String role, String state, boolean synced) {

	}

	/**
	 * The work queue.
	 *
	 * @param ready the number of keys that wait for a worker, by lane
	 * @param oldestReadyAge how long the first of them has waited, such as {@code 12s}
	 * @param delayed the number of keys whose retry or requeue is not due yet
	 * @param parked the number of keys that wait until the caches show those of their own
	 * writes that runs cannot be shown before
	 * @param slowed the number of keys that are slowed down because writes of this
	 * application cause their runs
	 * @param waiting the number of objects that the caches do not show as runs have
	 * written them longer ago than {@code own-writes.timeout}
	 */
	public record Queue(Map<String, Integer> ready, String oldestReadyAge, int delayed, int parked, int slowed,
			int waiting) {

	}

	/**
	 * The runs that have ended since the application was started.
	 *
	 * @param total the number of all
	 * @param failed the number of those that failed, conflicts excluded
	 * @param conflicts the number of those that ended with a conflict
	 * @param ownWriteTimeouts the number of those that started although the caches did
	 * not show all own writes in time
	 */
	public record Runs(long total, long failed, long conflicts, long ownWriteTimeouts) {

	}

	/**
	 * A key that fails. What the exception says is left out, for it may quote an object.
	 *
	 * @param key the key, {@code namespace/name}
	 * @param attempts the number of failed runs in a row
	 * @param since when the first of them ended
	 * @param nextAttempt when it is tried again; {@code null} if it waits for a worker,
	 * runs, or was given up
	 * @param exception the class name of the last exception
	 * @param cleanup whether the object is being deleted
	 * @param write the write that failed; {@code null} if it was none
	 */
	public record Failing(String key, int attempts, String since, @Nullable String nextAttempt, String exception,
			boolean cleanup, @Nullable Write write) {

		/**
		 * Creates a key that fails without a write, and not in the cleanup.
		 * @param key the key
		 * @param attempts the number of failed runs in a row
		 * @param since when the first of them ended
		 * @param nextAttempt when it is tried again; {@code null} if that is not known
		 * @param exception the class name of the last exception
		 */
		public Failing(String key, int attempts, String since, @Nullable String nextAttempt, String exception) {
			this(key, attempts, since, nextAttempt, exception, false, null);
		}

	}

	/**
	 * A write that failed. Values of the object are left out.
	 *
	 * @param verb the verb of RBAC
	 * @param resource the resource, {@code plural[.group]}, with its subresource
	 * @param kind the kind of the object
	 * @param key the object, {@code namespace/name}
	 * @param httpStatus the HTTP status; {@code null} if there was no answer
	 * @param reason the reason that the API server gave; {@code null} for none
	 * @param refusedBy the webhook or policy that refused it; {@code null} if it was none
	 * @param fields the first fields that the API server named
	 */
	public record Write(String verb, String resource, String kind, String key, @Nullable Integer httpStatus,
			@Nullable String reason, @Nullable String refusedBy, List<String> fields) {

	}

	/**
	 * A method or condition that fails. Each change is tried again until it does not.
	 * What the exception says is left out, for it may quote an object.
	 *
	 * @param kind {@code MAPPER} for {@code @Watches}, {@code CONDITION} for that of
	 * {@code @Reconcile}
	 * @param resource the resource of the objects that it is called with
	 * @param objects the number of objects that it fails on
	 * @param failedAt when it failed last
	 * @param key the object that it failed on last, {@code namespace/name}
	 * @param exception the class name of the last exception
	 */
	public record FailingFunction(String kind, String resource, int objects, String failedAt, String key,
			String exception) {

	}

	/**
	 * How a reconciler runs. Durations are such as {@code 10m}; {@code 0s} for none.
	 *
	 * @param namespaces the namespaces; {@code *} for all
	 * @param labelSelector the label selector of primaries; {@code null} for none
	 * @param fieldSelector the field selector of primaries; {@code null} for none
	 * @param concurrency the number of workers
	 * @param resync the period of the resync
	 * @param timeout how long a run may take
	 * @param minInterval the least time between two runs of a key
	 * @param ownWritesTimeout how long the caches may take to show own writes
	 * @param fieldManager the field manager of server-side apply
	 * @param finalizer the finalizer of primaries; {@code null} if there is no cleanup
	 */
	public record Settings(List<String> namespaces, @Nullable String labelSelector, @Nullable String fieldSelector,
			int concurrency, String resync, String timeout, String minInterval, String ownWritesTimeout,
			String fieldManager, @Nullable String finalizer) {

	}

}
