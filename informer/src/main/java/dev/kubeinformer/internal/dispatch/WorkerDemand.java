package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.IntConsumer;

import org.jspecify.annotations.Nullable;

/**
 * How many workers of a queue there are and should be: those that have nothing to do for
 * a while end, and are started again by the timer when there is something. Guarded by the
 * queue's lock.
 */
final class WorkerDemand {

	private static final Runnable STARTED = () -> {
	};

	private final Condition changed;

	private final long idle;

	private final Recovery recovery;

	private @Nullable ScheduledExecutorService timer;

	private IntConsumer start = (generation) -> {
	};

	/** How many workers have ended. */
	private int ended;

	/** How many wait for an event. */
	private int waiting;

	/** Whether one was asked for that has not come yet. */
	private boolean asked;

	/**
	 * Creates it, without workers.
	 * @param changed the condition on which workers wait
	 * @param idle how long one waits before it ends
	 * @param recovery takes what fails
	 */
	WorkerDemand(Condition changed, Duration idle, Recovery recovery) {
		this.changed = changed;
		this.idle = idle.toNanos();
		this.recovery = recovery;
	}

	/**
	 * Begins with new workers, all of which are started.
	 * @param timer starts those that are asked for later
	 * @param start starts a worker of a generation, which is taken in first
	 */
	void begin(ScheduledExecutorService timer, IntConsumer start) {
		this.timer = timer;
		this.start = start;
		this.ended = 0;
		this.asked = false;
	}

	/**
	 * Waits for something to do.
	 * @return whether there was nothing for so long that the calling worker should end,
	 * unless it finds something after all
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean isIdle() throws InterruptedException {
		this.waiting++;
		try {
			return this.changed.awaitNanos(this.idle) <= 0;
		}
		finally {
			this.waiting--;
		}
	}

	/**
	 * Lets a worker end that has nothing to do, if another can be started later.
	 * @return whether it may end
	 */
	boolean end() {
		ScheduledExecutorService starter = this.timer;
		try {
			if (starter != null) {
				// Its thread has to be there before it is needed to start another one.
				starter.execute(STARTED);
				this.ended++;
				return true;
			}
		}
		catch (RuntimeException | Error ex) {
			this.recovery.report(ex);
		}
		return false;
	}

	/**
	 * Takes workers in for what is left to do at the end.
	 * @param events how many events wait
	 * @return how many workers have to be started: as many as have ended, if there are
	 * that many events
	 */
	int takeIn(int events) {
		int more = Math.min(this.ended, events);
		this.ended -= more;
		return more;
	}

	/**
	 * Asks for a worker if one has ended and none waits. Changes nothing else if it
	 * fails, so that it is asked again with the next event.
	 * @param generation the generation of the worker
	 */
	void ask(int generation) {
		ScheduledExecutorService starter = this.timer;
		if (this.ended == 0 || this.waiting > 0 || this.asked || starter == null) {
			return;
		}
		this.asked = true;
		IntConsumer begun = this.start;
		try {
			starter.execute(() -> start(begun, generation, starter));
		}
		catch (RuntimeException | Error ex) {
			// The caller may hold the lock of the store, and has done its work.
			this.asked = false;
			this.recovery.report(ex);
		}
	}

	private void start(IntConsumer begun, int generation, ScheduledExecutorService starter) {
		try {
			begun.accept(generation);
		}
		catch (Throwable ex) {
			// For want of threads: other handlers need the timer meanwhile.
			this.recovery.report(ex);
			this.recovery.insist(() -> starter.schedule(() -> start(begun, generation, starter),
					Recovery.PAUSE.toMillis(), TimeUnit.MILLISECONDS), () -> !starter.isShutdown());
		}
	}

	/**
	 * Notes that the worker that was asked for comes, before it is started: it may have
	 * to ask for the next one.
	 */
	void takeIn() {
		this.asked = false;
		this.ended--;
	}

	/**
	 * Notes that the worker could not be started, and is going to be tried again.
	 */
	void takeBack() {
		this.asked = true;
		this.ended++;
	}

}
