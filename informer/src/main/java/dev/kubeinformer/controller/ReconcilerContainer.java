package dev.kubeinformer.controller;

import java.time.Duration;

import dev.kubeinformer.types.ObjectKey;

/**
 * What runs one reconciler: its work queue, its workers and its sources. All methods may
 * be called from any thread. It can be stopped and started again.
 */
public interface ReconcilerContainer {

	/**
	 * Returns the id of the reconciler, by which the registry knows it: that of its spec,
	 * with the name of the cluster and a dot before it where that is not the default one.
	 * @return the id
	 */
	String id();

	/**
	 * Returns the settings of the reconciler.
	 * @return the spec
	 */
	ReconcilerSpec<?> spec();

	/**
	 * Starts the reconciler and, where they do not run, the informers of its sources. The
	 * first runs begin when the caches of all sources are filled and up to date; this is
	 * not waited for. Does nothing if it is started.
	 * <p>
	 * With a leadership it is a standby at first: the caches are filled and kept up to
	 * date, and nothing is queued. Each term begins with all keys. When a term is over,
	 * requests of its runs are refused or cancelled and the runs are interrupted; that is
	 * no failure, and such a run is reported to no listener.
	 */
	void start();

	/**
	 * Stops the reconciler: no key is taken any more, and runs may end within the drain
	 * timeout. After that they are interrupted; their keys run again at the next start.
	 * Called from a run, it does not wait for that run. Does nothing if it is stopped.
	 * With a leadership, it takes part no more; the Lease stays with this process.
	 */
	void stop();

	/**
	 * Stops the reconciler for good. Another one may have its id then, once no run goes
	 * on that ignores its interrupt.
	 */
	default void close() {
		stop();
	}

	/**
	 * Returns whether the reconciler is started, paused or not.
	 * @return whether it is
	 */
	boolean isRunning();

	/**
	 * Takes no further keys; they are queued. A standby does so when it leads.
	 * @throws IllegalStateException if the reconciler is not started
	 */
	void pause();

	/**
	 * Ends a {@link #pause()}.
	 * @throws IllegalStateException if the reconciler is not started
	 */
	void resume();

	/**
	 * Queues one key, as if its object had changed.
	 * @param key the key; if there is no such object, there is no run
	 * @throws IllegalStateException if the reconciler is not started
	 * @throws dev.kubeinformer.leader.NotLeaderException if it is a standby, whose leader
	 * is to be asked instead
	 * @throws UnreadableObjectException if the object cannot be read or transformed, so
	 * that there would be no run
	 */
	void trigger(ObjectKey key);

	/**
	 * Queues the keys of all objects, behind live changes. Those that are delayed or
	 * failing run at once, too.
	 * @throws IllegalStateException if the reconciler is not started
	 * @throws dev.kubeinformer.leader.NotLeaderException if it is a standby, whose leader
	 * is to be asked instead
	 */
	void triggerAll();

	/**
	 * Returns whether all sources are synced and the reconciler may run. With a
	 * leadership, whether all sources are synced, whoever leads.
	 * @return whether it is synced
	 */
	boolean hasSynced();

	/**
	 * Waits until all sources are synced.
	 * @param timeout how long to wait at most
	 * @return whether they are; {@code false} also if it is stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Waits until the reconciler is idle: all its caches show what the API server held at
	 * the time of the call or later, with all that runs have written, and no key is
	 * queued, running, parked, or in a retry that is due within a second. A requeue is
	 * idle, however short. A standby is idle as soon as its caches are up to date. For
	 * tests.
	 * @param timeout how long to wait at most
	 * @return whether it is idle; {@code false} at the timeout, with the busy keys in the
	 * log
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if called from a run of this reconciler
	 */
	boolean awaitIdle(Duration timeout) throws InterruptedException;

	/**
	 * Returns the status at this moment.
	 * @return the status
	 */
	ReconcilerStatus status();

}
