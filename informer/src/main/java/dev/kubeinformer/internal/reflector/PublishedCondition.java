package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;

/**
 * State of the informer, as a reflector has published it to its sink. A watch that is
 * resumed after a failure is on probation at first: the state becomes live after the
 * first event of the watch, or after a while without an error. The reflector's thread
 * calls all methods; only the end of the probation runs on another thread.
 */
final class PublishedCondition {

	private final ReflectorSink<?> sink;

	private final ScheduledExecutorService timer;

	private final Duration probationTime;

	private final ReentrantLock lock = new ReentrantLock();

	/** Condition to publish; the sink may have failed to receive it. */
	private volatile InformerState wanted = InformerState.SYNCING;

	private volatile @Nullable InformerState published;

	private @Nullable Probation probation;

	PublishedCondition(ReflectorSink<?> sink, ScheduledExecutorService timer, Duration probationTime) {
		this.sink = sink;
		this.timer = timer;
		this.probationTime = probationTime;
	}

	/**
	 * Publishes a condition, and notifies listeners of it.
	 * @param condition the condition
	 */
	void publish(InformerState condition) {
		this.lock.lock();
		try {
			endProbation();
			change(condition);
		}
		finally {
			this.lock.unlock();
		}
		this.sink.notifyListeners();
	}

	/**
	 * Publishes the wanted state again if the sink failed to receive it. The first call
	 * publishes the initial state, {@link InformerState#SYNCING}.
	 */
	void catchUp() {
		InformerState condition = this.wanted;
		if (condition != this.published) {
			publish(condition);
		}
	}

	/**
	 * Notes that a watch is open.
	 * @param proof the proof that the watch must give before the cache counts as live
	 */
	void watchOpened(WatchProof proof) {
		if (proof == WatchProof.OPEN) {
			publish(InformerState.LIVE);
		}
		else if (proof == WatchProof.TIME && this.published != InformerState.LIVE) {
			beginProbation();
		}
	}

	/** Notes that something other than an error arrived on the watch. */
	void alive() {
		if (this.published != InformerState.LIVE) {
			publish(InformerState.LIVE);
		}
	}

	/**
	 * Notes that the watch has ended.
	 */
	void watchEnded() {
		this.lock.lock();
		try {
			endProbation();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void change(InformerState condition) {
		this.wanted = condition;
		this.sink.condition(condition);
		this.published = condition;
	}

	private void beginProbation() {
		this.lock.lock();
		try {
			Probation begun = new Probation(Thread.currentThread().getName());
			this.probation = begun;
			begun.end = this.timer.schedule(begun, this.probationTime.toNanos(), TimeUnit.NANOSECONDS);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void endProbation() {
		Probation begun = this.probation;
		this.probation = null;
		if (begun != null && begun.end != null) {
			begun.end.cancel(false);
		}
	}

	/** Ends the probation of a watch: publishes that the cache is live. */
	private final class Probation implements Runnable {

		private final String name;

		private @Nullable Future<?> end;

		Probation(String name) {
			this.name = name;
		}

		@Override
		public void run() {
			PublishedCondition.this.lock.lock();
			try {
				if (PublishedCondition.this.probation != this) {
					return;
				}
				PublishedCondition.this.probation = null;
				change(InformerState.LIVE);
			}
			finally {
				PublishedCondition.this.lock.unlock();
			}
			// Use another thread: listeners may be slow, and others use the timer.
			Thread notifier = new Thread(PublishedCondition.this.sink::notifyListeners, this.name + "-notifier");
			notifier.setDaemon(true);
			notifier.start();
		}

	}

}
