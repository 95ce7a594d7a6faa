package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.types.ObjectKey;

/**
 * Slots whose objects a loop may reconcile. A slot is a group of objects that moves
 * between replicas as a whole. Before a run does anything, it enters the slot of its
 * object, under the lock under which slots are closed. So a closed slot only has the runs
 * that {@link #drain} waits for.
 */
public final class LoopSlots {

	private final LoopOptions options;

	private final LoopState state;

	private final RunAwaiter awaiter;

	LoopSlots(LoopOptions options, LoopState state, RunAwaiter awaiter) {
		this.options = options;
		this.state = state;
		this.awaiter = awaiter;
	}

	/**
	 * Allows runs for the objects of slots.
	 * @param slots the indexes of the slots
	 */
	public void open(Collection<Integer> slots) {
		this.state.lock.lock();
		try {
			slots.forEach(this.state.admitted::set);
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Prevents further runs for the objects of slots. Current runs continue.
	 * @param slots the indexes of the slots
	 */
	public void close(Collection<Integer> slots) {
		this.state.lock.lock();
		try {
			slots.forEach(this.state.admitted::clear);
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Closes slots and waits until no run for their objects is active. Runs have the
	 * drain timeout to end. Then the requests of the remaining runs are refused, and the
	 * runs are cancelled and interrupted. A run that ignores the interrupt is awaited
	 * until its last request cannot have an effect any more.
	 * @param slots the indexes of the slots
	 * @param lease the time until a request that was sent before the refusal can no
	 * longer have an effect
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void drain(Set<Integer> slots, Duration lease) throws InterruptedException {
		Predicate<LoopRun> all = (run) -> run.isInAny(slots);
		Predicate<LoopRun> admitted = (run) -> run.isInAny(slots) && !run.isRefused();
		this.state.lock.lockInterruptibly();
		try {
			slots.forEach(this.state.admitted::clear);
			if (!this.awaiter.await(admitted, Durations.nanos(this.options.drainTimeout()))) {
				List<LoopRun> late = this.state.active(admitted);
				late.forEach((run) -> run.refuse(this.state.now()));
				this.awaiter.cancel(late);
			}
			long refused = this.state.active(all)
				.stream()
				.mapToLong(LoopRun::refusedAt)
				.max()
				.orElse(KeyQueue.LONG_AGO);
			this.awaiter.await(all, refused + Durations.nanos(lease) - this.state.now());
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Closes slots that are lost, refuses the requests of their runs, and cancels and
	 * interrupts them without waiting.
	 * @param slots the indexes of the slots
	 */
	public void abandon(Set<Integer> slots) {
		List<LoopRun> runs;
		this.state.lock.lock();
		try {
			slots.forEach(this.state.admitted::clear);
			runs = this.state.active((run) -> run.isInAny(slots));
			runs.forEach((run) -> run.refuse(this.state.now()));
		}
		finally {
			this.state.lock.unlock();
		}
		runs.forEach(LoopRun::stop);
	}

	/**
	 * Forgets keys with their failures and pending runs.
	 * @param keys the keys of objects that this process does not reconcile any more
	 */
	public void forget(Collection<ObjectKey> keys) {
		this.state.lock.lock();
		try {
			keys.forEach(this.state.queue::evict);
			this.state.signalIdle();
		}
		finally {
			this.state.lock.unlock();
		}
	}

}
