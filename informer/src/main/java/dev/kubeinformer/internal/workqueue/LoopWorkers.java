package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.text.Durations;

/**
 * Workers of a loop, created on demand. There is always one more worker than runs until
 * the maximum is reached, so the threads that add keys to the queue never have to create
 * a worker.
 */
final class LoopWorkers {

	private static final Logger logger = LoggerFactory.getLogger(ReconcileLoop.class);

	/** Pause of a worker thread after an exception that was not thrown by a run. */
	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * Longest wait for the API server to return. A run may fail with a response that only
	 * looks as if the server were unavailable, for example from a broken webhook. An
	 * outage must not delay the retry of such a run for longer.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(30);

	private final LoopOptions options;

	private final LoopState state;

	private final LoopListener listener;

	LoopWorkers(LoopOptions options, LoopState state, LoopListener listener) {
		this.options = options;
		this.state = state;
		this.listener = listener;
	}

	/**
	 * Creates the first worker, unless there is one.
	 * @param group the group of the worker
	 */
	void ensureOne(LoopState.Group group) {
		this.state.lock.lock();
		try {
			if (group.threads > 0 || group != this.state.group) {
				return;
			}
			group.threads++;
		}
		finally {
			this.state.lock.unlock();
		}
		try {
			startThread(group);
		}
		catch (Throwable ex) {
			// For example OutOfMemoryError. Only a first worker creates others, so retry.
			logger.error("{} while starting a thread for reconciler '{}'; retrying in 1 s", ex.getClass().getName(),
					this.options.id(), ex);
			this.options.timer().schedule(() -> ensureOne(group), 1, TimeUnit.SECONDS);
		}
	}

	private void startThread(LoopState.Group group) {
		try {
			Thread thread = Objects.requireNonNull(this.options.threads().newThread(() -> work(group)),
					"The thread factory made no thread");
			thread.setName("reconciler-" + this.options.id() + "-" + number(group));
			thread.start();
		}
		catch (Throwable ex) {
			this.state.lock.lock();
			try {
				group.threads--;
			}
			finally {
				this.state.lock.unlock();
			}
			throw ex;
		}
	}

	private int number(LoopState.Group group) {
		this.state.lock.lock();
		try {
			group.numbers++;
			return group.numbers;
		}
		finally {
			this.state.lock.unlock();
		}
	}

	private void work(LoopState.Group group) {
		boolean wanted = true;
		while (wanted) {
			try {
				LoopRun run = next(group);
				wanted = run != null;
				if (run != null) {
					run(run);
				}
			}
			catch (Throwable ex) {
				logger.error("Unexpected {} in '{}'; the worker continues", ex.getClass().getName(),
						Thread.currentThread().getName(), ex);
				LockSupport.parkNanos(this, PAUSE);
			}
		}
	}

	private @Nullable LoopRun next(LoopState.Group group) {
		LoopState loop = this.state;
		loop.lock.lock();
		try {
			while (loop.group == group) {
				TakenKey handOut = loop.open ? loop.queue.take(loop.now()) : null;
				if (handOut != null) {
					return started(handOut, group);
				}
				loop.awaitWork(group);
			}
			group.threads--;
			return null;
		}
		finally {
			loop.lock.unlock();
		}
	}

	private LoopRun started(TakenKey handOut, LoopState.Group group) {
		// An interrupt that a listener left behind must not reach this run.
		Thread.interrupted();
		try {
			LoopRun run = new LoopRun(handOut, this.state, group);
			this.state.began(run, this::checkTimeouts);
			return run;
		}
		catch (Throwable ex) {
			this.state.queue.returned(handOut, this.state.now());
			throw ex;
		}
	}

	private void addWorker(LoopState.Group group) {
		this.state.lock.lock();
		try {
			if (group.idle > 0 || group.threads >= this.options.concurrency() || group != this.state.group) {
				return;
			}
			group.threads++;
		}
		finally {
			this.state.lock.unlock();
		}
		try {
			startThread(group);
		}
		catch (Throwable ex) {
			logger.warn("No further worker of reconciler '{}' could be started; the next run tries again",
					this.options.id(), ex);
		}
	}

	private void run(LoopRun run) {
		RunObservation observation = observe(run);
		run.observe(observation);
		try {
			runObserved(run);
		}
		finally {
			observation.close();
		}
	}

	private RunObservation observe(LoopRun run) {
		try {
			return this.listener.taken(run);
		}
		catch (Throwable ex) {
			logger.warn("A listener of reconciler '{}' failed", this.options.id(), ex);
			return RunObservation.NONE;
		}
	}

	private void runObserved(LoopRun run) {
		RunEnd end;
		int awaited = 0;
		try {
			// Check at the last moment and without a lock, because this calls the
			// elector.
			if (!run.fence().admitsRuns()) {
				refuse(run);
				return;
			}
			addWorker(run.group);
			notifyUnparked(run);
			// The previous steps may have lasted until the loop was stopped.
			end = run.stopped() ? RunEnd.Stopped.INSTANCE
					: Objects.requireNonNull(run.group.runner.run(run), "The runner returned no end");
			if (end instanceof RunEnd.Park park) {
				awaited = park.parking().awaited();
			}
		}
		catch (Throwable ex) {
			end = RunEnd.failed(ex, null);
		}
		run.end();
		if (!run.fence().admitsRequests()) {
			// The result does not matter: the fence may have rejected a request of the
			// run.
			end = RunEnd.Fenced.INSTANCE;
		}
		else if (run.stopped()) {
			end = RunEnd.Stopped.INSTANCE;
		}
		else if (end instanceof RunEnd.Conflict conflict && KeyQueue.isFailure(run.handOut)) {
			end = RunEnd.failed(conflict.cause(), null);
		}
		if (end instanceof RunEnd.Park park) {
			run.observation().postponed();
			run.observation().close();
			park(run, park.parking(), awaited);
		}
		else {
			if (end instanceof RunEnd.Failed || end instanceof RunEnd.GaveUp) {
				// The run may have failed before its first step.
				run.observation().begin();
			}
			notifyEnded(run, end);
			// Close the observer before a waiting thread sees the end of the run.
			run.observation().close();
			end(run, end);
		}
	}

	private void refuse(LoopRun run) {
		run.end();
		end(run, RunEnd.Fenced.INSTANCE);
	}

	private void end(LoopRun run, RunEnd end) {
		LoopState loop = this.state;
		loop.lock.lock();
		try {
			loop.count(run, end);
			if (run.queue != loop.queue || end instanceof RunEnd.Fenced) {
				loop.queue.vacate(run.key(), loop.now());
			}
			else {
				end(run, end, loop.now());
			}
		}
		catch (Throwable ex) {
			if (run.queue == loop.queue) {
				loop.queue.returned(run.handOut, loop.now());
			}
			throw ex;
		}
		finally {
			loop.left(run);
			loop.lock.unlock();
		}
	}

	private void end(LoopRun ended, RunEnd end, long now) {
		KeyQueue queue = this.state.queue;
		TakenKey run = ended.handOut;
		if (end instanceof RunEnd.Done) {
			queue.done(run, ended.interval(), now);
		}
		else if (end instanceof RunEnd.RequeueAfter requeue) {
			queue.requeueAfter(run, KeyDelays.requeue(requeue.delay()), ended.interval(), now);
		}
		else if (end instanceof RunEnd.Conflict conflict) {
			queue.conflict(run, RunFailure.of(conflict.cause(), ended.step()), now);
		}
		else if (end instanceof RunEnd.Failed failed) {
			queue.failed(run, RunFailure.of(failed.cause(), ended.step()), Durations.nanos(notBefore(failed)),
					failed.serverAway(), now);
		}
		else if (end instanceof RunEnd.GaveUp gaveUp) {
			queue.gaveUp(run, RunFailure.of(gaveUp.cause(), ended.step()), now);
		}
		else if (end instanceof RunEnd.Absent) {
			queue.absent(run, now);
		}
		else {
			queue.returned(run, now);
		}
	}

	private Duration notBefore(RunEnd.Failed failed) {
		Duration asked = (failed.notBefore() != null) ? failed.notBefore() : Duration.ZERO;
		boolean waits = failed.serverAway() && this.state.serverAway.getAsBoolean();
		return (waits && asked.compareTo(LONGEST) < 0) ? LONGEST : asked;
	}

	private void park(LoopRun run, OwnWritesWait parking, int awaited) {
		LoopState loop = this.state;
		ParkedKey ticket;
		loop.lock.lock();
		try {
			if (run.queue != loop.queue) {
				// All keys were forgotten during the run.
				loop.queue.vacate(run.key(), loop.now());
				return;
			}
			ticket = loop.queue.park(run.handOut, awaited, loop.now());
		}
		catch (Throwable ex) {
			if (run.queue == loop.queue) {
				loop.queue.returned(run.handOut, loop.now());
			}
			throw ex;
		}
		finally {
			loop.left(run);
			loop.lock.unlock();
		}
		try {
			parking.register(() -> arrived(run.queue, ticket));
		}
		catch (Throwable ex) {
			release(run.queue, ticket);
			throw ex;
		}
	}

	private void arrived(KeyQueue queue, ParkedKey ticket) {
		LoopState loop = this.state;
		loop.lock.lock();
		try {
			// A ticket of a replaced queue does not belong to a key any more.
			if (queue.arrived(ticket, loop.now())) {
				loop.wake();
			}
		}
		finally {
			loop.lock.unlock();
		}
	}

	/**
	 * Unparks a key as if its wait had timed out.
	 * @param queue the queue that contains the key
	 * @param ticket the wait of the key
	 */
	private void release(KeyQueue queue, ParkedKey ticket) {
		LoopState loop = this.state;
		loop.lock.lock();
		try {
			if (queue.release(ticket, false, loop.now())) {
				loop.wake();
			}
		}
		finally {
			loop.lock.unlock();
		}
	}

	private void checkTimeouts() {
		List<LoopRun> late;
		this.state.lock.lock();
		try {
			late = this.state.late(this::checkTimeouts);
		}
		finally {
			this.state.lock.unlock();
		}
		late.forEach(LoopRun::timeOut);
	}

	private void notifyUnparked(LoopRun run) {
		ParkedKey parked = run.handOut.parked();
		if (parked != null) {
			notifyListener(() -> this.listener.unparked(run.key(), Duration.ofNanos(parked.time), parked.seen));
		}
	}

	private void notifyEnded(LoopRun run, RunEnd end) {
		Duration duration = Duration.ofNanos(this.state.age(run.handOut.takenAt()));
		notifyListener(() -> this.listener.ended(run, end, duration));
	}

	/**
	 * Notifies the listener that a thread waits for runs to end. The caller must not hold
	 * the lock.
	 * @param runs the number of runs
	 */
	void notifyAwaited(int runs) {
		notifyListener(() -> this.listener.awaited(runs));
	}

	/**
	 * Notifies the listener that runs were interrupted. The caller must not hold the
	 * lock.
	 * @param runs the runs
	 */
	void notifyInterrupted(List<LoopRun> runs) {
		notifyListener(() -> this.listener.interrupted(runs.stream().map(LoopRun::key).toList()));
	}

	private void notifyListener(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			logger.warn("A listener of reconciler '{}' failed", this.options.id(), ex);
		}
	}

}
