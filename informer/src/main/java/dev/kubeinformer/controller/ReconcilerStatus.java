package dev.kubeinformer.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Status of a reconciler at one moment.
 *
 * @param state the state
 * @param since the time at which that state began; {@code null} if the reconciler was
 * never started
 * @param synced {@code true} if all its sources are synced
 * @param sources its sources, the primary first
 * @param queue the work queue
 * @param runs the counts of runs
 * @param failing the keys that have failed longest, at most 20
 * @param failingFunctions the mappers and conditions that fail
 * @param slots the slots of this process; {@code null} without
 * {@link ReconcilerSpec#withShards(dev.kubeinformer.shard.Shards)}, or if the reconciler
 * is not started
 */
public record ReconcilerStatus(ReconcilerState state, @Nullable Instant since, boolean synced,
		List<ReconcilerSource> sources, Queue queue, Runs runs, List<FailingKey> failing,
		List<FailingFunction> failingFunctions, @Nullable SlotRuns slots) {

	/**
	 * Creates the status of a reconciler whose primaries are not divided into slots that
	 * move.
	 * @param state the state
	 * @param since the time at which that state began; {@code null} if the reconciler was
	 * never started
	 * @param synced {@code true} if all its sources are synced
	 * @param sources its sources, the primary first
	 * @param queue the work queue
	 * @param runs the counts of runs
	 * @param failing the keys that have failed longest, at most 20
	 * @param failingFunctions the mappers and conditions that fail
	 */
	public ReconcilerStatus(ReconcilerState state, @Nullable Instant since, boolean synced,
			List<ReconcilerSource> sources, Queue queue, Runs runs, List<FailingKey> failing,
			List<FailingFunction> failingFunctions) {
		this(state, since, synced, sources, queue, runs, failing, failingFunctions, null);
	}

	/**
	 * Creates the status of a reconciler whose mappers and conditions do not fail.
	 * @param state the state
	 * @param since the time at which that state began; {@code null} if the reconciler was
	 * never started
	 * @param synced {@code true} if all its sources are synced
	 * @param sources its sources, the primary first
	 * @param queue the work queue
	 * @param runs the counts of runs
	 * @param failing the keys that have failed longest, at most 20
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
	 * Slots of a reconciler whose primaries are divided into slots that move between
	 * replicas.
	 *
	 * @param open the slots whose keys run
	 * @param waiting the slots that this process has gained but whose keys do not run
	 * yet, because a cache may show a state from before the gain
	 */
	public record SlotRuns(Set<Integer> open, Set<Integer> waiting) {

		/**
		 * Creates the slots.
		 */
		public SlotRuns {
			open = Set.copyOf(open);
			waiting = Set.copyOf(waiting);
		}

	}

	/**
	 * Work queue of a reconciler.
	 *
	 * @param ready the number of keys that wait for a worker, by lane
	 * @param delayed the number of keys whose retry or requeue is not due yet
	 * @param parked the number of keys that wait until the caches show their own writes,
	 * because runs cannot receive these writes in another way
	 * @param failingKeys the number of keys whose last run failed
	 * @param oldestReadyAge the longest wait of a ready key; zero if there is none
	 * @param slowedKeys the number of keys that are slowed down because writes of this
	 * application cause their runs
	 * @param waiting the number of objects whose writes the caches do not show, although
	 * the timeout of own writes has passed
	 */
	public record Queue(Map<QueueLane, Integer> ready, int delayed, int parked, int failingKeys,
			Duration oldestReadyAge, int slowedKeys, int waiting) {

		/**
		 * Creates a queue. The caches show all writes that they should show by now.
		 * @param ready the number of keys that wait for a worker, by lane
		 * @param delayed the number of keys whose retry or requeue is not due yet
		 * @param parked the number of keys that wait until the caches show their own
		 * writes
		 * @param failingKeys the number of keys whose last run failed
		 * @param oldestReadyAge the longest wait of a ready key; zero if there is none
		 * @param slowedKeys the number of keys that are slowed down because writes of
		 * this application cause their runs
		 */
		public Queue(Map<QueueLane, Integer> ready, int delayed, int parked, int failingKeys, Duration oldestReadyAge,
				int slowedKeys) {
			this(ready, delayed, parked, failingKeys, oldestReadyAge, slowedKeys, 0);
		}

		/**
		 * Creates a queue without slowed keys.
		 * @param ready the number of keys that wait for a worker, by lane
		 * @param delayed the number of keys whose retry or requeue is not due yet
		 * @param parked the number of keys that wait until the caches show their own
		 * writes
		 * @param failingKeys the number of keys whose last run failed
		 * @param oldestReadyAge the longest wait of a ready key; zero if there is none
		 */
		public Queue(Map<QueueLane, Integer> ready, int delayed, int parked, int failingKeys, Duration oldestReadyAge) {
			this(ready, delayed, parked, failingKeys, oldestReadyAge, 0);
		}

	}

	/**
	 * Counts of runs since the application was started.
	 *
	 * @param total the number of runs that ended
	 * @param active the number of current runs
	 * @param longestActive the duration of the longest current run; zero if there is none
	 * @param failed the number of failed runs, without conflicts
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
