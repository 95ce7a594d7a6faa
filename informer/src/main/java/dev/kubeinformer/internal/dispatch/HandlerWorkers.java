package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Worker threads of one handler. They handle the events of its queue while the handler is
 * started. An idle worker ends after a while; another one is started for later events. A
 * callback may stop its own handler. The stop then waits for all workers except the one
 * that runs the callback.
 *
 * @param <T> the model class
 */
final class HandlerWorkers<T extends KubernetesObject> {

	private static final ObjectKey IDLE = new ObjectKey("", "");

	private final HandlerQueue<T> queue;

	private final int concurrency;

	private final ThreadFactory threads;

	private final Consumer<PendingDelta<T>> work;

	private final Recovery recovery;

	private final ReentrantLock lifecycle = new ReentrantLock();

	private volatile List<Thread> running = List.of();

	/**
	 * First thread of the last start. Workers that are started later get its priority,
	 * group and context class loader.
	 */
	private volatile @Nullable Thread model;

	/**
	 * Context class loader of the model thread. It is kept here, because a thread that
	 * has ended returns {@code null}.
	 */
	private volatile @Nullable ClassLoader modelLoader;

	/**
	 * Threads of the last start whose callbacks have stopped the handler, so the stop did
	 * not wait for them.
	 */
	private volatile List<Thread> leaving = List.of();

	private final Map<Thread, Worker> active = new ConcurrentHashMap<>();

	private final Set<Thread> interrupted = ConcurrentHashMap.newKeySet();

	/**
	 * Tracks callbacks that stop their own handler and wait until the other workers have
	 * ended.
	 */
	private final WorkerExitWaits waits = new WorkerExitWaits(this.active::containsKey);

	private volatile long deadline;

	/**
	 * Creates workers without starting them.
	 * @param queue the source of their events
	 * @param concurrency the number of workers
	 * @param threads the factory of their threads
	 * @param work the processing of an event, which always reports its end to the queue
	 * @param recovery the recovery from failures outside the handler
	 */
	HandlerWorkers(HandlerQueue<T> queue, int concurrency, ThreadFactory threads, Consumer<PendingDelta<T>> work,
			Recovery recovery) {
		this.recovery = recovery;
		this.queue = queue;
		this.concurrency = concurrency;
		this.threads = threads;
		this.work = work;
	}

	/**
	 * Starts all threads or, if one cannot be started, none. Does nothing if they are
	 * running.
	 * @param timer the timer that wakes the queue when a retry is due
	 */
	void start(ScheduledExecutorService timer) {
		this.lifecycle.lock();
		try {
			if (this.running.isEmpty()) {
				this.interrupted.removeIf((thread) -> !thread.isAlive());
				int generation = this.queue.serve(timer, this::startAnother);
				List<Thread> started = new ArrayList<>();
				try {
					for (int i = 0; i < this.concurrency; i++) {
						started.add(this.threads.newThread(() -> run(generation)));
					}
					this.running = started;
					this.model = started.get(0);
					this.modelLoader = started.get(0).getContextClassLoader();
					this.leaving = List.of();
					started.forEach(Thread::start);
				}
				catch (Throwable ex) {
					drain(Duration.ZERO);
					this.leaving = alive();
					this.running = List.of();
					throw ex;
				}
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Starts a thread to replace one that has ended.
	 * @param generation the number of the start to which the worker belongs
	 */
	private void startAnother(int generation) {
		if (!this.queue.isServing(generation)) {
			return;
		}
		// Create the thread without a lock: the factory may belong to the user and be
		// slow.
		Thread another = newThread(generation);
		this.lifecycle.lock();
		try {
			if (this.queue.takeIn(generation)) {
				startTakenIn(another);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void startTakenIn(Thread another) {
		try {
			start(another);
		}
		catch (Throwable ex) {
			this.queue.takeBack();
			throw ex;
		}
	}

	// Copy the properties of the model thread, because another thread may create this
	// one, for example the timer's.
	private Thread newThread(int generation) {
		Thread another = this.threads.newThread(() -> run(generation));
		Thread like = this.model;
		if (like != null) {
			if (another.isDaemon() != like.isDaemon()) {
				another.setDaemon(like.isDaemon());
			}
			another.setContextClassLoader(this.modelLoader);
		}
		return another;
	}

	private void start(Thread another) {
		List<Thread> before = this.running;
		// Keep the list non-empty, because an empty one means that the workers are not
		// running.
		this.running = Stream.concat(before.stream().filter(Thread::isAlive), Stream.of(another)).toList();
		try {
			another.start();
		}
		catch (Throwable ex) {
			this.running = before;
			throw ex;
		}
	}

	/**
	 * Begins to drain the threads: waiting events are handled within a time limit.
	 * Returns at once.
	 * @param limit the time limit
	 * @return the work that is left, without the callback of the calling thread
	 */
	HandlerDispatcher.Remaining drain(Duration limit) {
		this.deadline = System.nanoTime() + limit.toNanos();
		HandlerQueue.Missing missing = this.queue.drain(this.deadline);
		for (int i = 0; i < missing.workers(); i++) {
			startToDrain(missing.generation());
		}
		Worker caller = this.active.get(Thread.currentThread());
		int own = (caller != null && caller.inHand != IDLE) ? 1 : 0;
		return new HandlerDispatcher.Remaining(missing.running() - own, missing.waiting());
	}

	private void startToDrain(int generation) {
		try {
			Thread another = newThread(generation);
			this.lifecycle.lock();
			try {
				if (!this.running.isEmpty()) {
					start(another);
				}
			}
			finally {
				this.lifecycle.unlock();
			}
		}
		catch (RuntimeException | Error ex) {
			// The waiting events are kept for the next start.
			this.recovery.report(ex);
		}
	}

	/**
	 * Waits within the limit of {@link #drain(Duration)} until the threads have ended,
	 * then interrupts the others.
	 */
	void awaitDrained() {
		awaitOthers(this.deadline, (late) -> {
			this.interrupted.add(late);
			late.interrupt();
		});
	}

	/**
	 * Ends the threads at once: they receive no more events and are interrupted. Does not
	 * wait for them. The calling thread is not interrupted.
	 */
	void discard() {
		drain(Duration.ZERO);
		for (Thread thread : alive()) {
			if (thread != Thread.currentThread() && this.interrupted.add(thread)) {
				thread.interrupt();
			}
		}
	}

	/**
	 * Waits until the interrupted threads have ended.
	 * @param until the deadline, in the time of {@link System#nanoTime()}
	 */
	void awaitEnd(long until) {
		List<Thread> ended = this.running;
		awaitOthers(until, (late) -> {
			// An abandoned thread receives no more events from the queue.
		});
		this.lifecycle.lock();
		try {
			if (this.running == ended) {
				this.leaving = alive();
				this.running = List.of();
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private List<Thread> alive() {
		return Stream.of(this.running, this.leaving).flatMap(List::stream).distinct().filter(Thread::isAlive).toList();
	}

	/**
	 * Waits for all threads except the calling one. An interrupt does not end the wait,
	 * because it must not make the handler lose events, and the wait is bounded.
	 * @param until the deadline, in the time of {@link System#nanoTime()}
	 * @param late the action for each thread that has not ended at the deadline
	 */
	private void awaitOthers(long until, Consumer<Thread> late) {
		Worker caller = this.active.get(Thread.currentThread());
		ObjectKey inHand = (caller != null) ? caller.inHand : null;
		if (inHand != null) {
			this.waits.begin();
			this.queue.ending(inHand, true);
		}
		boolean callerInterrupted = false;
		for (Thread thread : alive()) {
			while (isAwaited(thread) && until - System.nanoTime() > 0) {
				try {
					this.waits.await(thread, until);
				}
				catch (InterruptedException ex) {
					callerInterrupted = true;
				}
			}
			if (isAwaited(thread)) {
				late.accept(thread);
			}
		}
		if (inHand != null) {
			this.queue.ending(inHand, false);
			this.waits.end();
		}
		if (callerInterrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isAwaited(Thread thread) {
		return thread != Thread.currentThread() && thread.isAlive() && !this.waits.isExcused(thread);
	}

	private void run(int generation) {
		try {
			boolean wanted = true;
			while (wanted) {
				try {
					wanted = work(generation);
				}
				catch (Throwable ex) {
					this.recovery.failed(ex);
				}
			}
		}
		finally {
			this.active.remove(Thread.currentThread());
			this.interrupted.remove(Thread.currentThread());
			this.waits.left();
		}
	}

	/**
	 * Handles the next event.
	 * @param generation the number of the start to which this worker belongs
	 * @return {@code true} if the worker is still needed
	 */
	private boolean work(int generation) {
		Worker worker = this.active.computeIfAbsent(Thread.currentThread(), (thread) -> new Worker());
		worker.inHand = IDLE;
		PendingDelta<T> pending = next(generation);
		if (pending == null) {
			return false;
		}
		worker.inHand = pending.key();
		this.work.accept(pending);
		worker.inHand = IDLE;
		// Clear an interrupt that the handler left, so that it does not affect the next
		// event.
		Thread.interrupted();
		return !isCurrentThreadInterrupted();
	}

	private @Nullable PendingDelta<T> next(int generation) {
		while (true) {
			try {
				return this.queue.take(generation);
			}
			catch (InterruptedException ex) {
				// The queue decides whether the worker is still needed.
			}
		}
	}

	/**
	 * Returns whether the limit of the last {@link #drain(Duration)} has passed.
	 * @return {@code true} if the limit has passed
	 */
	boolean isTimeOver() {
		return System.nanoTime() - this.deadline >= 0;
	}

	/**
	 * Returns whether the calling thread is a worker of this handler, that is, whether
	 * the caller is a callback.
	 * @return {@code true} if the calling thread is a worker
	 */
	boolean isCurrentThread() {
		return this.active.containsKey(Thread.currentThread());
	}

	/**
	 * Returns whether the calling thread was interrupted because the drain timeout has
	 * expired.
	 * @return {@code true} if the calling thread was interrupted for that reason
	 */
	boolean isCurrentThreadInterrupted() {
		return !this.interrupted.isEmpty() && this.interrupted.contains(Thread.currentThread());
	}

	/**
	 * Loop of a worker thread.
	 */
	private static final class Worker {

		private volatile ObjectKey inHand = IDLE;

	}

}
