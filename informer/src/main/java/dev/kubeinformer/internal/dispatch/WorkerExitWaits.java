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
 * Waits of callbacks that stop their own handler: such a callback waits until the other
 * workers of the handler have ended. If callbacks on two workers do this, they must not
 * wait for each other. Therefore a waiting worker is excused: the other one does not wait
 * for it.
 */
final class WorkerExitWaits {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** Waiting workers, each with the other workers that also requested the end. */
	private final Map<Thread, Set<Thread>> excused = new HashMap<>();

	private final Predicate<Thread> atWork;

	/**
	 * Creates an instance without waits.
	 * @param atWork whether a thread receives events. Must not acquire a lock; a worker
	 * that stops receiving events calls {@link #left()}
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
	 * Returns whether the calling thread waits, but not for a certain thread.
	 * @param thread the other thread
	 * @return {@code true} if the other thread requested the end, too
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
	 * Waits until a worker has ended, or is excused.
	 * @param worker the worker. A worker that has not begun is awaited until it has
	 * ended, because only its end is certain
	 * @param until the deadline, as by {@link System#nanoTime()}
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
		// It no longer runs a callback that could request the end.
		TimeUnit.NANOSECONDS.timedJoin(worker, until - System.nanoTime());
	}

	private Set<Thread> excused() {
		return this.excused.getOrDefault(Thread.currentThread(), Set.of());
	}

}
