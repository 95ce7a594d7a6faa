package dev.kubeinformer.internal.workqueue;

import java.util.List;
import java.util.function.Predicate;

/**
 * Waits for runs to end, and cancels the runs that do not end in time. All methods are
 * called under the lock of the loop. {@link #announce} and {@link #cancel} release that
 * lock while they call other code.
 */
final class RunAwaiter {

	private final LoopState state;

	private final LoopWorkers workers;

	RunAwaiter(LoopState state, LoopWorkers workers) {
		this.state = state;
		this.workers = workers;
	}

	/**
	 * Notifies the listener that a thread waits for runs to end.
	 * @param runs the number of runs; zero for no notification
	 */
	void announce(int runs) {
		if (runs > 0) {
			unlocked(() -> this.workers.notifyAwaited(runs));
		}
	}

	/**
	 * Cancels and interrupts runs.
	 * @param late the runs
	 */
	void cancel(List<LoopRun> late) {
		unlocked(() -> {
			late.forEach(LoopRun::stop);
			if (!late.isEmpty()) {
				this.workers.notifyInterrupted(late);
			}
		});
	}

	private void unlocked(Runnable call) {
		this.state.lock.unlock();
		try {
			call.run();
		}
		finally {
			this.state.lock.lock();
		}
	}

	/**
	 * Waits until none of the selected runs is active.
	 * @param awaited selects the runs
	 * @param nanos the longest time to wait, in nanoseconds
	 * @return {@code true} if none is active
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean await(Predicate<LoopRun> awaited, long nanos) throws InterruptedException {
		long until = this.state.now() + nanos;
		while (!this.state.active(awaited).isEmpty() && this.state.now() < until) {
			this.state.awaitProgress(until - this.state.now());
		}
		return this.state.active(awaited).isEmpty();
	}

}
