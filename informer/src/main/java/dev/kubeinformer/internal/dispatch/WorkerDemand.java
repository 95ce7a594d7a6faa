package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.IntConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Tracks how many workers of a queue exist and how many are needed. Idle workers end
 * after a while, and the timer starts them again when they are needed. Guarded by the
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

	/** Number of workers that have ended. */
	private int ended;

	/** Number of workers that wait for an event. */
	private int waiting;

	/** Whether a worker was requested and has not called {@link #takeIn()} yet. */
	private boolean asked;

	/**
	 * Creates an instance without workers.
	 * @param changed the condition on which workers wait
	 * @param idle the time after which an idle worker ends
	 * @param recovery the recovery from failures
	 */
	WorkerDemand(Condition changed, Duration idle, Recovery recovery) {
		this.changed = changed;
		this.idle = idle.toNanos();
		this.recovery = recovery;
	}

	/**
	 * Resets the numbers for new workers, all of which are started.
	 * @param timer the timer that starts workers requested later
	 * @param start the function that starts a worker, given the number of the start to
	 * which it belongs; first calls {@link #takeIn()}
	 */
	void begin(ScheduledExecutorService timer, IntConsumer start) {
		this.timer = timer;
		this.start = start;
		this.ended = 0;
		this.asked = false;
	}

	/**
	 * Waits for an event.
	 * @return {@code true} if the calling worker was idle for too long, so it should end
	 * if there is no event now
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
	 * Called by an idle worker that wants to end. It may end if another worker can be
	 * started later.
	 * @return {@code true} if the worker may end
	 */
	boolean end() {
		ScheduledExecutorService starter = this.timer;
		try {
			if (starter != null) {
				// Create the timer's thread now, so that it exists when a worker must be
				// started.
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
	 * Adds workers for the events that still wait when the handler is stopped.
	 * @param events the number of waiting events
	 * @return the number of workers to start: the number of ended workers, but at most
	 * the number of events
	 */
	int takeIn(int events) {
		int more = Math.min(this.ended, events);
		this.ended -= more;
		return more;
	}

	/**
	 * Requests a worker if a worker has ended and none waits for an event. If this method
	 * fails, it has no effect, and the next event requests a worker again.
	 * @param generation the number of the start to which the worker belongs
	 */
	void ask(int generation) {
		ScheduledExecutorService starter = this.timer;
		if (this.ended == 0 || this.waiting > 0 || this.asked || starter == null) {
			return;
		}
		this.asked = true;
		IntConsumer begun = this.start;
		try {
			// Let the timer create the thread: the caller may hold the lock of the store.
			starter.execute(() -> start(begun, generation, starter));
		}
		catch (RuntimeException | Error ex) {
			this.asked = false;
			this.recovery.report(ex);
		}
	}

	private void start(IntConsumer begun, int generation, ScheduledExecutorService starter) {
		try {
			begun.accept(generation);
		}
		catch (Throwable ex) {
			// No thread could be created. Do not retry in a loop, because other handlers
			// need the timer.
			this.recovery.report(ex);
			this.recovery.insist(() -> starter.schedule(() -> start(begun, generation, starter),
					Recovery.PAUSE.toMillis(), TimeUnit.MILLISECONDS), () -> !starter.isShutdown());
		}
	}

	/**
	 * Records that the requested worker is about to run. Called before that, because the
	 * worker may have to request the next one.
	 */
	void takeIn() {
		this.asked = false;
		this.ended--;
	}

	/**
	 * Records that the worker could not be started and will be requested again.
	 */
	void takeBack() {
		this.asked = true;
		this.ended++;
	}

}
