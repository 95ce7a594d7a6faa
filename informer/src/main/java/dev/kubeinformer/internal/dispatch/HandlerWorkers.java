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
 * Threads of one handler: from start to start they take the events of its queue, and end
 * when it has none for them any more. Those that have nothing to do for a while end
 * before, and others are started in their place when there is something. The one that
 * asks for the end may be one of them; it is not waited for then, all others are.
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

	/** A thread of the last start. */
	private volatile @Nullable Thread model;

	/** That of a thread is gone when it has ended. */
	private volatile @Nullable ClassLoader modelLoader;

	/** Those of the last start that were not awaited: they asked for the end. */
	private volatile List<Thread> leaving = List.of();

	private final Map<Thread, Worker> active = new ConcurrentHashMap<>();

	private final Set<Thread> interrupted = ConcurrentHashMap.newKeySet();

	/** Of callbacks of these threads. */
	private final WorkerExitWaits waits = new WorkerExitWaits(this.active::containsKey);

	private volatile long deadline;

	/**
	 * Creates workers that do not run.
	 * @param queue where they take their events
	 * @param concurrency how many they are
	 * @param threads makes their threads
	 * @param work what they do with an event, whose end it reports to the queue whatever
	 * happens
	 * @param recovery takes what fails beside the handler
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
	 * Starts the threads, all or none. Does nothing if they run.
	 * @param timer wakes the queue when a retry is due
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
	 * Starts a thread in the place of one that has ended.
	 * @param generation what the queue knows it by
	 */
	private void startAnother(int generation) {
		if (!this.queue.isServing(generation)) {
			return;
		}
		// What makes it may be the user's, and take its time.
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

	// Like those of the start: whoever makes it is a thread of the runtime.
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
		// Never empty, as that would say that they do not run.
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
	 * Lets the threads end: events that wait are handled up to a limit. Returns at once.
	 * @param limit the limit
	 */
	void drain(Duration limit) {
		this.deadline = System.nanoTime() + limit.toNanos();
		HandlerQueue.Missing missing = this.queue.drain(this.deadline);
		for (int i = 0; i < missing.workers(); i++) {
			startToDrain(missing.generation());
		}
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
			// What waits stays for the next start.
			this.recovery.report(ex);
		}
	}

	/**
	 * Waits until the threads have ended after {@link #drain(Duration)}, as long as its
	 * limit allows, and interrupts those that did not.
	 */
	void awaitDrained() {
		awaitOthers(this.deadline, (late) -> {
			this.interrupted.add(late);
			late.interrupt();
		});
	}

	/**
	 * Ends the threads at once: they get no further event and are interrupted. Does not
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
	 * Waits until the threads that were interrupted have ended.
	 * @param until how long to wait at most, as by {@link System#nanoTime()}
	 */
	void awaitEnd(long until) {
		List<Thread> ended = this.running;
		awaitOthers(until, (late) -> {
			// The queue gives it no further event.
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
	 * Waits for all threads but the calling one, even if the caller is interrupted: its
	 * haste must not cost the handler its events, and the wait has an end.
	 * @param until how long to wait at most, as by {@link System#nanoTime()}
	 * @param late takes each thread that has not ended then
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
	 * @param generation what the queue knows this worker by
	 * @return whether the worker is wanted any more
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
		// An interrupt that the handler left behind is not meant for the next event.
		Thread.interrupted();
		return !isCurrentThreadInterrupted();
	}

	private @Nullable PendingDelta<T> next(int generation) {
		while (true) {
			try {
				return this.queue.take(generation);
			}
			catch (InterruptedException ex) {
				// Whether the worker is still wanted is the queue's to say.
			}
		}
	}

	/**
	 * Returns whether the limit of the last {@link #drain(Duration)} has passed.
	 * @return whether it has
	 */
	boolean isTimeOver() {
		return System.nanoTime() - this.deadline >= 0;
	}

	/**
	 * Returns whether the calling thread is one of these, so that its caller is a
	 * callback.
	 * @return whether it is
	 */
	boolean isCurrentThread() {
		return this.active.containsKey(Thread.currentThread());
	}

	/**
	 * Returns whether the calling thread was interrupted because its time to end was
	 * over.
	 * @return whether it was
	 */
	boolean isCurrentThreadInterrupted() {
		return !this.interrupted.isEmpty() && this.interrupted.contains(Thread.currentThread());
	}

	/**
	 * What a thread does.
	 */
	private static final class Worker {

		private volatile ObjectKey inHand = IDLE;

	}

}
