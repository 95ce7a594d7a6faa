package dev.kubeinformer.internal.dispatch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Lets a callback that stops its own handler wait until the other workers of the handler
 * have ended. If callbacks on two workers do this, they must not wait for each other.
 * Therefore a worker that waits is excused: other workers do not wait for it.
 */
final class WorkerExitWaits {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/**
	 * Waiting workers, each with the other workers that wait, too, and so are excused.
	 */
	private final Map<Thread, Set<Thread>> excused = new HashMap<>();

	private final Predicate<Thread> atWork;

	/**
	 * Creates an instance without waits.
	 * @param atWork returns whether a thread still receives events, without acquiring a
	 * lock. A worker that receives no more events calls {@link #left()}
	 */
	WorkerExitWaits(Predicate<Thread> atWork) {
		this.atWork = atWork;
	}

	/**
	 * Begins a wait of the calling thread. Other workers no longer wait for it.
	 */
	void begin() {
		Thread caller = Thread.currentThread();
		this.lock.lock();
		try {
			Set<Thread> others = new HashSet<>(this.excused.keySet());
			this.excused.values().forEach((threads) -> threads.add(caller));
			this.excused.put(caller, others);
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the wait of the calling thread.
	 */
	void end() {
		this.lock.lock();
		try {
			this.excused.remove(Thread.currentThread());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notifies the waiting workers that a worker no longer receives events.
	 */
	void left() {
		this.lock.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether the calling thread need not wait for another thread, because that
	 * thread waits, too.
	 * @param thread the other thread
	 * @return {@code true} if the other thread is excused
	 */
	boolean isExcused(Thread thread) {
		this.lock.lock();
		try {
			return excused().contains(thread);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until a worker has ended or is excused.
	 * @param worker the worker. If it does not receive events, this method waits until
	 * its thread has ended
	 * @param until the deadline, in the time of {@link System#nanoTime()}
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	void await(Thread worker, long until) throws InterruptedException {
		this.lock.lock();
		try {
			Set<Thread> others = excused();
			while (this.atWork.test(worker) && !others.contains(worker) && until - System.nanoTime() > 0) {
				this.changed.awaitNanos(until - System.nanoTime());
			}
			if (others.contains(worker)) {
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		// The worker no longer runs a callback that could stop the handler.
		TimeUnit.NANOSECONDS.timedJoin(worker, until - System.nanoTime());
	}

	private Set<Thread> excused() {
		return this.excused.getOrDefault(Thread.currentThread(), Set.of());
	}

}
