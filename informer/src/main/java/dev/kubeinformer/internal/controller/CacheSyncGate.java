package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.internal.informer.PartitionProbe;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.runtime.RuntimeHolder;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;

/**
 * Gate before the runs of a reconciler. It opens when the caches of all sources hold
 * their first full state, and what the API server held after that: a cache that was
 * filled by a server that lags behind would have a predecessor's children made again. No
 * thread waits while a cache is not filled.
 */
final class CacheSyncGate implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerContainer.class);

	/** The objects of a source at which nothing changes are compared after that. */
	private static final Duration GLANCE = Duration.ofMillis(300);

	private final String name;

	private final Duration limit;

	private final Executor executor;

	private final LongSupplier nanoTime;

	private final RuntimeHolder link;

	private final ReconcileLoop loop;

	private final Listener listener;

	/** When the reconciler was started, or its term had begun. */
	private final long began;

	private final SourceSet<?> sources;

	/**
	 * Taken under the locks of stores and of the sources; only that of the queue is taken
	 * under it.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	/** Counts the losses of a cache: what was found out before counts no more. */
	private int round;

	private boolean open;

	private boolean paused;

	private boolean closed;

	private @Nullable Thread checking;

	private @Nullable PartitionProbe<?> asking;

	/**
	 * Creates a gate that is shut.
	 * @param name the reconciler, for the log
	 * @param limit how long a filled cache is awaited to be up to date
	 * @param executor checks the caches
	 * @param nanoTime the clock
	 * @param link the client
	 * @param loop what is behind the gate
	 * @param sources the sources whose caches it waits for
	 * @param listener is notified of what happens
	 */
	CacheSyncGate(String name, Duration limit, Executor executor, LongSupplier nanoTime, RuntimeHolder link,
			ReconcileLoop loop, SourceSet<?> sources, Listener listener) {
		this.name = name;
		this.limit = limit;
		this.executor = executor;
		this.nanoTime = nanoTime;
		this.began = nanoTime.getAsLong();
		this.link = link;
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

	/**
	 * Called when a cache is not filled any more, under locks of stores.
	 */
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
	 * @param next whether it is paused
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
			// The loop may be that of the next life already.
			return;
		}
		if (this.open && !this.paused) {
			this.loop.open();
		}
		else {
			this.loop.hold();
		}
	}

	// By one thread, so that the last report is of the last state.
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
		if (!begin(current)) {
			return;
		}
		try {
			long until = this.nanoTime.getAsLong() + Durations.nanos(this.limit);
			for (ControllerSource<?> source : this.sources.all()) {
				if (!isCurrent(source, until) && isRound(current)) {
					logger.warn(
							"{}: the cache of informer '{}' did not show in {} ms what the API server held at the start; runs begin nevertheless",
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
			end();
		}
		open(current);
	}

	private boolean isCurrent(ControllerSource<?> source, long until) throws InterruptedException {
		if (source.informer().wasFilledFresh(this.began)) {
			return true;
		}
		InformerRuntime runtime = this.link.current();
		if (runtime == null) {
			// All informers are being stopped; the gate shuts with them.
			return true;
		}
		boolean current = true;
		for (PartitionProbe<?> probe : source.probes(runtime, this.nanoTime)) {
			asks(probe);
			current &= probe.await(GLANCE, Duration.ofNanos(Math.max(0, until - this.nanoTime.getAsLong())));
		}
		return current;
	}

	private void asks(PartitionProbe<?> probe) throws InterruptedException {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new InterruptedException();
			}
			this.asking = probe;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean begin(int current) {
		this.lock.lock();
		try {
			if (this.closed || this.round != current) {
				return false;
			}
			this.checking = Thread.currentThread();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void end() {
		this.lock.lock();
		try {
			this.checking = null;
			this.asking = null;
			// An interrupt by close is not for what the thread does next.
			Thread.interrupted();
		}
		finally {
			this.lock.unlock();
		}
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

	/**
	 * Shuts the gate for ever.
	 */
	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			if (this.checking != null) {
				this.checking.interrupt();
			}
			if (this.asking != null) {
				this.asking.cancel();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Listener of a gate, called outside of locks and by one thread at a time.
	 */
	interface Listener {

		/**
		 * Called when the gate opened or shut.
		 * @param synced whether all caches are filled and up to date
		 */
		void synced(boolean synced);

		/**
		 * Called when a cache was not up to date in time.
		 */
		void late();

	}

}
