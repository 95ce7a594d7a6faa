package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.informer.PartitionProbe;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.runtime.RuntimeHolder;
import dev.kubeinformer.internal.slots.ObjectShare;

/**
 * Checks whether caches have caught up with the API server: whether they contain the
 * state at the time of the check, or a later one. One thread at a time may check. After a
 * close, checks are rejected.
 */
final class CacheCheck implements AutoCloseable {

	/**
	 * Time to wait for a cache to catch up. After that, its objects are compared with a
	 * list, because no event shows how recent a cache is while nothing changes.
	 */
	private static final Duration GLANCE = Duration.ofMillis(300);

	private final RuntimeHolder link;

	private final LongSupplier nanoTime;

	// Guarded by the monitor.

	private boolean closed;

	private @Nullable Thread checking;

	private @Nullable PartitionProbe<?> asking;

	/**
	 * Creates a check that has not begun.
	 * @param link provides the client
	 * @param nanoTime the clock
	 */
	CacheCheck(RuntimeHolder link, LongSupplier nanoTime) {
		this.link = link;
		this.nanoTime = nanoTime;
	}

	/**
	 * Begins a check by the calling thread, which must call {@link #end()} afterwards.
	 * @return {@code false} if the check is closed
	 */
	synchronized boolean begin() {
		if (this.closed) {
			return false;
		}
		this.checking = Thread.currentThread();
		return true;
	}

	/**
	 * Waits until a cache has caught up.
	 * @param source the source whose cache is checked
	 * @param share selects the objects that are compared
	 * @param until the time at which the wait ends
	 * @return {@code true} if the cache is current
	 * @throws InterruptedException if the check is closed
	 */
	boolean isCurrent(ControllerSource<?> source, ObjectShare share, long until) throws InterruptedException {
		InformerRuntime runtime = this.link.current();
		if (runtime == null) {
			// All informers are being stopped; the reconciler stops with them.
			return true;
		}
		boolean current = true;
		for (PartitionProbe<?> probe : source.probes(runtime, this.nanoTime, share)) {
			asks(probe);
			current &= probe.await(GLANCE, Duration.ofNanos(Math.max(0, until - this.nanoTime.getAsLong())));
		}
		return current;
	}

	private synchronized void asks(PartitionProbe<?> probe) throws InterruptedException {
		if (this.closed) {
			throw new InterruptedException();
		}
		this.asking = probe;
	}

	/** Ends the check by the calling thread. */
	synchronized void end() {
		this.checking = null;
		this.asking = null;
		// An interrupt by close() must not reach the thread's next task.
		Thread.interrupted();
	}

	/** Ends the current check, and rejects later ones. */
	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.checking != null) {
			this.checking.interrupt();
		}
		if (this.asking != null) {
			this.asking.cancel();
		}
	}

}
