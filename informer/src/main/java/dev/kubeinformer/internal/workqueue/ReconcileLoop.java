package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

/**
 * Loop of a reconciler: a queue of keys and the workers that run them. It can be stopped
 * and started again. A stopped loop keeps its keys.
 */
public final class ReconcileLoop implements KeyFeed {

	/** Maximum number of busy keys that reports name. */
	private static final int NAMED = 20;

	/** Longest time that {@link #stop()} waits for runs that it has interrupted. */
	private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

	private final LoopOptions options;

	private final LoopState state;

	private final LoopWorkers workers;

	private final RunAwaiter awaiter;

	private final LoopSlots slots;

	/**
	 * Creates a loop that is stopped.
	 * @param options the settings
	 * @param listener the listener for the loop's events
	 */
	public ReconcileLoop(LoopOptions options, LoopListener listener) {
		this.options = options;
		this.state = new LoopState(options);
		this.workers = new LoopWorkers(options, this.state, listener);
		this.awaiter = new RunAwaiter(this.state, this.workers);
		this.slots = new LoopSlots(options, this.state, this.awaiter);
	}

	@Override
	public void changed(ObjectKey key, QueueLane lane) {
		feed(() -> this.state.queue.changed(key, lane, this.state.now()));
	}

	@Override
	public void changed(ObjectKey key, QueueLane lane, KeyCause cause) {
		LoopState.Group group = this.state.group;
		// The runner is called without the lock of this loop.
		if (group != null && group.runner.isEcho(key, cause)) {
			return;
		}
		if (group != null && group.runner.queued(key, cause)) {
			feed(() -> this.state.queue.changedAtOnce(key, lane, this.state.now()));
		}
		else {
			changed(key, lane);
		}
	}

	@Override
	public void deleted(ObjectKey key) {
		feed(() -> this.state.queue.deleted(key, this.state.now()));
	}

	@Override
	public void resync(ObjectKey key) {
		feed(() -> this.state.queue.resync(key, this.state.now()));
	}

	/**
	 * Queues a key because a caller asked for a run. Unlike a change, this ends any delay
	 * of the key immediately.
	 * @param key the key
	 * @param lane the minimum priority of the key in the queue
	 */
	public void trigger(ObjectKey key, QueueLane lane) {
		feed(() -> this.state.queue.trigger(key, lane, this.state.now()));
	}

	/**
	 * Queues the keys whose failed runs are not retried. A start of the loop does the
	 * same.
	 */
	public void retryGivenUp() {
		feed(() -> this.state.queue.retryGivenUp(this.state.now()));
	}

	/**
	 * Sets the function that tells whether the API server is unavailable to all
	 * informers. While it is, keys whose runs failed for that reason wait for
	 * {@link #serverIsBack()}, but not longer than half a minute. If their backoff or the
	 * wait that the server asked for is longer, they wait until that is over.
	 * @param serverAway returns {@code true} if the API server is unavailable; called
	 * under the lock of the loop
	 */
	public void serverAway(BooleanSupplier serverAway) {
		this.state.serverAway = serverAway;
	}

	/** Queues the keys whose last runs failed because the API server was unavailable. */
	public void serverIsBack() {
		feed(() -> this.state.queue.serverIsBack(this.state.now()));
	}

	private void feed(Runnable change) {
		this.state.lock.lock();
		try {
			if (this.state.fed) {
				change.run();
				this.state.wake();
				// After the deletion of an object whose key has not run, nothing is left
				// to do.
				this.state.signalIdle();
			}
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Starts the loop, which takes keys as long as the fence admits runs. No key is taken
	 * before {@link #open()}. Does nothing if the loop was started already.
	 * @param fence the fence
	 * @param runner runs the keys until the loop is stopped
	 */
	public void start(Fence fence, KeyRunner runner) {
		this.state.lock.lock();
		try {
			if (this.state.group == null) {
				this.state.group = new LoopState.Group(fence, runner);
				this.state.open = false;
				this.state.fed = true;
			}
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Stops the loop without waiting for runs, if it was started with the given fence. No
	 * further key is taken, runs are cancelled and interrupted, all keys are forgotten,
	 * and no key is queued before the next start. If a run ignores its interrupt, its key
	 * does not run again before that run has ended. May be called again.
	 * @param fence the fence, which must not admit runs and requests any more
	 */
	public void abandon(Fence fence) {
		List<LoopRun> runs;
		this.state.lock.lock();
		try {
			LoopState.Group group = this.state.group;
			if (group == null || group.fence == fence) {
				this.state.group = null;
				this.state.open = false;
				this.state.fed = false;
				this.state.forgetKeys();
				this.state.wakeAll();
			}
			runs = this.state.active((run) -> run.group.fence == fence);
		}
		finally {
			this.state.lock.unlock();
		}
		runs.forEach(LoopRun::stop);
	}

	/**
	 * Forgets all keys of a stopped loop, and ignores further keys until the next start.
	 */
	public void forget() {
		this.state.lock.lock();
		try {
			if (this.state.group == null) {
				this.state.fed = false;
				this.state.forgetKeys();
			}
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Takes no further keys and waits until no run is active, including runs from earlier
	 * starts of the loop. Runs that have not ended within the drain timeout are cancelled
	 * and interrupted.
	 * @return {@code true} if no run is active
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean drain() throws InterruptedException {
		this.state.lock.lockInterruptibly();
		try {
			this.state.open = false;
			this.awaiter.announce(this.state.active());
			if (this.awaiter.await((run) -> true, Durations.nanos(this.options.drainTimeout()))) {
				return true;
			}
			this.awaiter.cancel(this.state.active((run) -> true));
			return this.awaiter.await((run) -> true, GRACE);
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/** Lets the workers take keys. Does nothing if the loop is stopped. */
	public void open() {
		LoopState.Group group;
		this.state.lock.lock();
		try {
			group = this.state.group;
			this.state.open = group != null;
			this.state.wakeAll();
		}
		finally {
			this.state.lock.unlock();
		}
		if (group != null) {
			this.workers.ensureOne(group);
		}
	}

	/** Makes the workers take no further keys. Current runs continue. */
	public void hold() {
		this.state.lock.lock();
		try {
			this.state.open = false;
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Stops the loop. No further key is taken. Runs that have not ended within the drain
	 * timeout are cancelled and interrupted, and their keys are ready again at the next
	 * start. If the calling thread is in a run itself, this method neither waits for that
	 * run nor cancels it. Does nothing if the loop is stopped.
	 */
	public void stop() {
		this.state.lock.lock();
		try {
			LoopState.Group group = this.state.group;
			if (group == null) {
				return;
			}
			this.state.group = null;
			this.state.open = false;
			this.state.wakeAll();
			this.awaiter.announce(others(group).size());
			boolean interrupted = awaitEnd(group, Durations.nanos(this.options.drainTimeout()));
			List<LoopRun> late = others(group);
			if (!late.isEmpty()) {
				this.awaiter.cancel(late);
				interrupted |= awaitEnd(group, GRACE);
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Waits until the runs of a group of workers have ended. An interrupt of the calling
	 * thread does not shorten the wait: runs are given the whole time to end, and that
	 * time is limited.
	 * @param group the workers
	 * @param nanos the longest time to wait
	 * @return {@code true} if the caller was interrupted
	 */
	private boolean awaitEnd(LoopState.Group group, long nanos) {
		boolean interrupted = false;
		long until = this.state.now() + nanos;
		while (!others(group).isEmpty() && this.state.now() < until) {
			try {
				this.state.awaitProgress(until - this.state.now());
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		return interrupted;
	}

	private List<LoopRun> others(LoopState.Group group) {
		return this.state.active((run) -> run.group == group && run.thread != Thread.currentThread());
	}

	/**
	 * Returns whether the calling thread is in a run of this loop.
	 * @return {@code true} if the thread is in a run
	 */
	public boolean isRunThread() {
		this.state.lock.lock();
		try {
			return !this.state.active((run) -> run.thread == Thread.currentThread()).isEmpty();
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Returns the number of active runs whose fences meet a condition.
	 * @param fences the condition
	 * @return the number of active runs
	 */
	public int active(Predicate<Fence> fences) {
		this.state.lock.lock();
		try {
			return this.state.active((run) -> fences.test(run.group.fence)).size();
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Returns the object that opens and closes slots. Runs may begin only for objects of
	 * open slots.
	 * @return the slots
	 */
	public LoopSlots slots() {
		return this.slots;
	}

	/**
	 * Returns the current metrics.
	 * @return the metrics
	 */
	public LoopFigures figures() {
		LoopState loop = this.state;
		loop.lock.lock();
		try {
			PendingKeys keys = loop.queue.keys();
			Map<QueueLane, Integer> ready = new EnumMap<>(QueueLane.class);
			for (QueueLane lane : QueueLane.values()) {
				ready.put(lane, keys.ready(lane));
			}
			ReconcilerStatus.Queue queue = new ReconcilerStatus.Queue(ready, keys.delayed(), keys.parked(),
					keys.failingKeys(), Duration.ofNanos(loop.age(keys.oldestReady())));
			return new LoopFigures(queue, loop.ended, loop.active(), Duration.ofNanos(loop.age(loop.oldestRun())),
					loop.failed, loop.conflicts, loop.ownWriteTimeouts, loop.lastError, failing(keys));
		}
		finally {
			loop.lock.unlock();
		}
	}

	private List<FailingKey> failing(PendingKeys keys) {
		Instant time = this.options.clock().instant();
		long now = this.state.now();
		return keys.longestFailing()
			.stream()
			.map((entry) -> failing(entry, time.minusNanos(now - KeyQueue.failingSince(entry)),
					(entry.state() == KeyEntry.State.DELAYED) ? time.plusNanos(entry.time - now) : null))
			.toList();
	}

	private static FailingKey failing(KeyEntry entry, Instant since, @Nullable Instant next) {
		RunFailure failure = Objects.requireNonNull(entry.failure);
		return new FailingKey(entry.key, entry.failures, since, next, failure.exception(), failure.cleanup(),
				failure.write());
	}

	/**
	 * Returns the keys that currently keep the loop from being idle.
	 * @return the keys
	 */
	public BusyKeys busy() {
		this.state.lock.lock();
		try {
			List<String> names = new ArrayList<>();
			List<LoopRun> running = this.state.active((run) -> true);
			running.stream().limit(NAMED).forEach((run) -> names.add(run.key() + " (running)"));
			PendingKeys.Waiting waiting = this.state.queue.keys().waiting(NAMED - names.size(), this.state.now());
			names.addAll(waiting.names());
			return new BusyKeys(running.size() + waiting.count(), List.copyOf(names), this.state.started);
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Returns the signal that the reconciler may have become idle. The loop and other
	 * parts of the reconciler trigger it when something ends that kept the reconciler
	 * busy.
	 * @return the signal
	 */
	public IdleCondition idleSignal() {
		return this.state.idle;
	}

}
