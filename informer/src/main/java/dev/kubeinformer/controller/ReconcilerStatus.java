package dev.kubeinformer.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Status of a reconciler at one moment.
 *
 * @param state the state
 * @param since when it reached that state; {@code null} if it was never started
 * @param synced whether all its sources are synced
 * @param sources its sources, the primary first
 * @param queue the work queue
 * @param runs what has run
 * @param failing the keys that fail for longest, at most 20
 * @param failingFunctions the mappers and conditions that fail
 */
public record ReconcilerStatus(ReconcilerState state, @Nullable Instant since, boolean synced,
		List<ReconcilerSource> sources, Queue queue, Runs runs, List<FailingKey> failing,
		List<FailingFunction> failingFunctions) {

	/**
	 * Creates the status of a reconciler whose mappers and conditions do not fail.
	 * @param state the state
	 * @param since when it reached that state; {@code null} if it was never started
	 * @param synced whether all its sources are synced
	 * @param sources its sources, the primary first
	 * @param queue the work queue
	 * @param runs what has run
	 * @param failing the keys that fail for longest, at most 20
	 */
	public ReconcilerStatus(ReconcilerState state, @Nullable Instant since, boolean synced,
			List<ReconcilerSource> sources, Queue queue, Runs runs, List<FailingKey> failing) {
		this(state, since, synced, sources, queue, runs, failing, List.of());
	}

	/**
	 * Returns the status of a reconciler that was never started.
	 * @return the status
	 */
	public static ReconcilerStatus notStarted() {
		return new ReconcilerStatus(ReconcilerState.NEW, null, false, List.of(),
				new Queue(Map.of(), 0, 0, 0, Duration.ZERO), new Runs(0, 0, Duration.ZERO, 0, 0, 0, 0, null),
				List.of());
	}

	/**
	 * The work queue.
	 *
	 * @param ready the number of keys that wait for a worker, of each lane
	 * @param delayed the number of keys whose retry or requeue is not due yet
	 * @param parked the number of keys that wait until the caches show those of their own
	 * writes that runs cannot be given before
	 * @param failingKeys the number of keys whose last run failed
	 * @param oldestReadyAge how long the first of the ready keys has waited; zero if
	 * there is none
	 * @param slowedKeys the number of keys that are slowed down because writes of this
	 * application cause their runs
	 * @param waiting the number of objects that the caches should show by now as runs
	 * have written them: they were written longer ago than own writes may take
	 */
	public record Queue(Map<QueueLane, Integer> ready, int delayed, int parked, int failingKeys,
			Duration oldestReadyAge, int slowedKeys, int waiting) {

		/**
		 * Creates a queue of a reconciler whose caches show what it has written.
		 * @param ready the number of keys that wait for a worker, of each lane
		 * @param delayed the number of keys whose retry or requeue is not due yet
		 * @param parked the number of keys that wait until the caches show their own
		 * writes
		 * @param failingKeys the number of keys whose last run failed
		 * @param oldestReadyAge how long the first of the ready keys has waited; zero if
		 * there is none
		 * @param slowedKeys the number of keys that are slowed down because writes of
		 * this application cause their runs
		 */
		public Queue(Map<QueueLane, Integer> ready, int delayed, int parked, int failingKeys, Duration oldestReadyAge,
				int slowedKeys) {
			this(ready, delayed, parked, failingKeys, oldestReadyAge, slowedKeys, 0);
		}

		/**
		 * Creates a queue without slowed keys.
		 * @param ready the number of keys that wait for a worker, of each lane
		 * @param delayed the number of keys whose retry or requeue is not due yet
		 * @param parked the number of keys that wait until the caches show their own
		 * writes
		 * @param failingKeys the number of keys whose last run failed
		 * @param oldestReadyAge how long the first of the ready keys has waited; zero if
		 * there is none
		 */
		public Queue(Map<QueueLane, Integer> ready, int delayed, int parked, int failingKeys, Duration oldestReadyAge) {
			this(ready, delayed, parked, failingKeys, oldestReadyAge, 0);
		}

	}

	/**
	 * What has run since the application was started.
	 *
	 * @param total the number of runs that ended
	 * @param active the number of runs at this moment
	 * @param longestActive how long the longest of these has run; zero if there is none
	 * @param failed the number of runs that failed, conflicts excluded
	 * @param conflicts the number of runs that ended with a conflict
	 * @param ownWriteTimeouts the number of runs that started although the caches did not
	 * show all own writes in time
	 * @param loops the number of keys that were reported because their own writes cause
	 * their runs
	 * @param lastError the class of the last exception and the key; {@code null} if no
	 * run has failed
	 */
	public record Runs(long total, int active, Duration longestActive, long failed, long conflicts,
			long ownWriteTimeouts, long loops, @Nullable String lastError) {

	}

}
