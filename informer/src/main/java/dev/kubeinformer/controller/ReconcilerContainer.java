package dev.kubeinformer.controller;

import java.time.Duration;

import dev.kubeinformer.types.ObjectKey;

/**
 * Runs one reconciler: its work queue, its workers and its sources. Any thread may call
 * the methods. The reconciler can be stopped and started again.
 */
public interface ReconcilerContainer {

	/**
	 * Returns the id of the reconciler in the registry: the id of its spec. Outside the
	 * default cluster, the name of the cluster and a dot precede it.
	 * @return the id
	 */
	String id();

	/**
	 * Returns the settings of the reconciler.
	 * @return the spec
	 */
	ReconcilerSpec<?> spec();

	/**
	 * Starts the reconciler, and any informer of its sources that is not running. The
	 * first runs begin when the caches of all sources are filled and current; the method
	 * does not wait for the caches. Does nothing if the reconciler is started.
	 * <p>
	 * A reconciler with a {@linkplain ReconcilerSpec#withLeadership leadership} is a
	 * standby at first: the caches are filled and kept current, and nothing is queued.
	 * When a term begins, all keys are queued. When a term is over, requests of its runs
	 * are rejected or cancelled, and the runs are interrupted. Such a run does not count
	 * as failed, and listeners are not notified of its end.
	 */
	void start();

	/**
	 * Stops the reconciler. No further key is taken, and runs may end within the drain
	 * timeout. After that they are interrupted; their keys run again at the next start. A
	 * call from a run does not wait for that run. Does nothing if the reconciler is
	 * stopped. If the reconciler has a {@linkplain ReconcilerSpec#withLeadership
	 * leadership}, this process keeps the Lease.
	 */
	void stop();

	/**
	 * Stops the reconciler permanently. Another reconciler can use its id afterwards, but
	 * not before all runs have ended, including those that ignore their interrupt.
	 */
	default void close() {
		stop();
	}

	/**
	 * Returns whether the reconciler is started, including while it is paused.
	 * @return {@code true} if the reconciler is started
	 */
	boolean isRunning();

	/**
	 * Stops taking keys from the queue. The keys remain queued. On a standby, this takes
	 * effect when its next term begins.
	 * @throws IllegalStateException if the reconciler is not started
	 */
	void pause();

	/**
	 * Ends a {@link #pause()}.
	 * @throws IllegalStateException if the reconciler is not started
	 */
	void resume();

	/**
	 * Queues one key as if its object had changed.
	 * @param key the key; if the object does not exist, there is no run
	 * @throws IllegalStateException if the reconciler is not started
	 * @throws dev.kubeinformer.leader.NotLeaderException if the reconciler is a standby;
	 * call the leader instead
	 * @throws UnreadableObjectException if the object cannot be read or transformed, so
	 * that no run would take place
	 */
	void trigger(ObjectKey key);

	/**
	 * Queues the keys of all objects in the lane {@link QueueLane#INITIAL}, behind keys
	 * for which something changed. Delayed and failing keys are queued, too.
	 * @throws IllegalStateException if the reconciler is not started
	 * @throws dev.kubeinformer.leader.NotLeaderException if the reconciler is a standby;
	 * call the leader instead
	 */
	void triggerAll();

	/**
	 * Returns whether all sources are synced, so that runs can begin. A standby is also
	 * synced if all its sources are, although its runs begin only with a term.
	 * @return {@code true} if the reconciler is synced
	 */
	boolean hasSynced();

	/**
	 * Waits until all sources are synced.
	 * @param timeout the longest time to wait
	 * @return {@code true} if all sources are synced; {@code false} at the timeout, or if
	 * the reconciler is stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Waits until the reconciler is idle. Then all its caches show a state of the API
	 * server that is not older than the call, including everything that runs have
	 * written. Also, no key is queued, running, waiting for its own writes, or in a retry
	 * that is due within a second. A pending requeue counts as idle, however short. A
	 * standby is idle as soon as its caches are current. For tests.
	 * @param timeout the longest time to wait
	 * @return {@code true} if the reconciler is idle; {@code false} at the timeout, with
	 * the busy keys in the log
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if called from a run of this reconciler
	 */
	boolean awaitIdle(Duration timeout) throws InterruptedException;

	/**
	 * Returns the current status.
	 * @return the status
	 */
	ReconcilerStatus status();

}
