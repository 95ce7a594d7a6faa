package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.internal.runtime.RuntimeHolder;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;

/**
 * Holds back the runs of a reconciler until its caches are current. The gate opens when
 * the caches of all sources hold their first full state and have then caught up with the
 * API server, or have not caught up in time. The second condition is necessary because a
 * cache may have been filled by an API server that lags behind. It would then lack the
 * children that an earlier process has created, and a run would create them again. No
 * thread waits while a cache is not filled.
 */
final class CacheSyncGate implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerContainer.class);

	private final String name;

	private final Duration limit;

	private final Executor executor;

	private final LongSupplier nanoTime;

	private final CacheCheck check;

	private final ReconcileLoop loop;

	private final Listener listener;

	/** Time at which the reconciler was started, or its term began. */
	private final long began;

	private final SourceSet<?> sources;

	/**
	 * Lock of the gate. It may be acquired while locks of stores and of the sources are
	 * held. While it is held, only the queue's lock may be acquired.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	/**
	 * Number of times that a cache lost its full state. If this happens during a check,
	 * the result of the check is ignored.
	 */
	private int round;

	private boolean open;

	private boolean paused;

	private boolean closed;

	/**
	 * Creates a closed gate.
	 * @param name the name of the reconciler, for the log
	 * @param limit the longest wait for a filled cache to catch up
	 * @param executor checks the caches
	 * @param nanoTime the clock
	 * @param link provides the client
	 * @param loop the loop that the gate pauses
	 * @param sources the sources whose caches the gate waits for
	 * @param listener the listener
	 */
	CacheSyncGate(String name, Duration limit, Executor executor, LongSupplier nanoTime, RuntimeHolder link,
			ReconcileLoop loop, SourceSet<?> sources, Listener listener) {
		this.name = name;
		this.limit = limit;
		this.executor = executor;
		this.nanoTime = nanoTime;
		this.began = nanoTime.getAsLong();
		this.check = new CacheCheck(link, nanoTime);
		this.loop = loop;
		this.sources = sources;
		this.listener = listener;
	}

	/**
	 * Called when the caches of all sources are filled, under locks of stores.
	 */
	void filled() {
		this.lock.lock();
		try {
			if (!this.closed) {
				int current = this.round;
				this.executor.execute(() -> check(current));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Called when a cache is no longer filled, under locks of stores. */
	void emptied() {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.round++;
			this.open = false;
			this.loop.hold();
			this.executor.execute(this::report);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Pauses the loop, or ends a pause.
	 * @param next {@code true} to pause the loop, {@code false} to end the pause
	 */
	void pause(boolean next) {
		this.lock.lock();
		try {
			this.paused = next;
			judge();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void judge() {
		if (this.closed) {
			// The loop may be used by the next session already.
			return;
		}
		if (this.open && !this.paused) {
			this.loop.open();
		}
		else {
			this.loop.hold();
		}
	}

	// Only one thread reports, so that the last report shows the last state.
	private void report() {
		this.lock.lock();
		boolean now;
		try {
			now = this.open;
		}
		finally {
			this.lock.unlock();
		}
		this.listener.synced(now);
	}

	private void check(int current) {
		if (!isRound(current) || !this.check.begin()) {
			return;
		}
		try {
			long until = this.nanoTime.getAsLong() + Durations.nanos(this.limit);
			for (ControllerSource<?> source : this.sources.verified()) {
				boolean fresh = source.informer().wasFilledFresh(this.began);
				if (!fresh && !this.check.isCurrent(source, source.share(), until) && isRound(current)) {
					logger.warn(
							"{}: the cache of informer '{}' did not catch up with the API server's state at the start within {} ms; runs begin anyway",
							this.name, source, Durations.millis(this.limit));
					this.listener.late();
				}
			}
		}
		catch (InterruptedException ex) {
			// The reconciler is stopped.
			return;
		}
		finally {
			this.check.end();
		}
		open(current);
	}

	private boolean isRound(int current) {
		this.lock.lock();
		try {
			return !this.closed && this.round == current;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void open(int current) {
		this.lock.lock();
		try {
			if (this.closed || this.round != current) {
				return;
			}
			this.open = true;
			judge();
		}
		finally {
			this.lock.unlock();
		}
		report();
	}

	/** Closes the gate permanently. */
	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
		this.check.close();
	}

	/** Listener of a gate, called without locks and by one thread at a time. */
	interface Listener {

		/**
		 * Called when the gate opened or closed.
		 * @param synced whether all caches are filled and current
		 */
		void synced(boolean synced);

		/** Called when a cache did not catch up in time. */
		void late();

	}

}
