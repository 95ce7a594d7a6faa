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
 * Workers of one handler whose callbacks wait for the end of the others. Two of them do
 * not wait for each other: whoever asks for the end while one waits is excused from then
 * on.
 */
final class WorkerExitWaits {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** The workers that wait, each with those that asked for the end, too. */
	private final Map<Thread, Set<Thread>> excused = new HashMap<>();

	private final Predicate<Thread> atWork;

	/**
	 * Creates waits of which there are none yet.
	 * @param atWork whether a thread takes events. It takes no lock; one that does no
	 * more calls {@link #left()}
	 */
	WorkerExitWaits(Predicate<Thread> atWork) {
		this.atWork = atWork;
	}

	/**
	 * Begins a wait of the calling thread. Others do not wait for it any more.
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
	 * Notifies those who wait that a worker takes no events any more.
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
	 * Returns whether the calling thread waits, and not for a certain thread.
	 * @param thread that thread
	 * @return whether it asked for the end, too
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
	 * @param worker the worker. One that has not begun its work is waited for until it
	 * has ended: nothing but its end is sure to come
	 * @param until how long to wait at most, as by {@link System#nanoTime()}
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
		// It runs no callback any more, which might ask for the end.
		TimeUnit.NANOSECONDS.timedJoin(worker, until - System.nanoTime());
	}

	private Set<Thread> excused() {
		return this.excused.getOrDefault(Thread.currentThread(), Set.of());
	}

}
