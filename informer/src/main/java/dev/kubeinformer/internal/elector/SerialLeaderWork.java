package dev.kubeinformer.internal.elector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.failure.LoggedFailure;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;

/**
 * Calls the methods of one {@link LeaderWork}, such as a task or a reconciler of the
 * leader. There is one call at a time, on a thread that does not renew the Lease. Each
 * work has its own instance, so a work that hangs does not block others. Thread-safe.
 */
public final class SerialLeaderWork {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	/**
	 * Longest time for which a running call delays the call of {@code lost()}. After that
	 * time, the two run concurrently.
	 */
	private static final long GRACE_MILLIS = 1000;

	private final LeaderWork work;

	private final ElectorThreads threads;

	// The fields below are guarded by this.

	private final Deque<Runnable> calls = new ArrayDeque<>();

	/** Requests to end the work that have not been carried out yet. */
	private final List<Drain> drains = new ArrayList<>();

	private boolean busy;

	/**
	 * Call that began the current term; {@code null} if the work has ended, or the term
	 * was lost.
	 */
	private @Nullable Grant granted;

	private @Nullable Thread draining;

	private boolean closed;

	SerialLeaderWork(LeaderWork work, ElectorThreads threads) {
		this.work = work;
		this.threads = threads;
	}

	LeaderWork work() {
		return this.work;
	}

	/**
	 * Tells the work that a term has begun.
	 * @param term the term
	 */
	synchronized void grant(Leadership.Term term) {
		Grant grant = new Grant(term);
		this.granted = grant;
		add(grant);
	}

	/**
	 * Tells the work to end while the term is still valid.
	 * @return the future, which is completed with {@code true} if no operation of the
	 * work is running any more
	 */
	synchronized CompletableFuture<Boolean> drain() {
		Grant ending = this.granted;
		if (ending == null || this.closed) {
			return CompletableFuture.completedFuture(true);
		}
		Drain drain = new Drain(ending);
		this.drains.add(drain);
		add(drain);
		return drain.outcome;
	}

	/**
	 * Tells the work that the term is over, so that it must end immediately. Does nothing
	 * if the work has drained.
	 */
	synchronized void lose() {
		Grant lost = this.granted;
		this.granted = null;
		if (lost == null || this.closed) {
			return;
		}
		if (this.draining != null) {
			this.draining.interrupt();
		}
		if (!lost.begun) {
			// The beginning of the term still waits for an earlier call, so drop it. The
			// work needs no call of lost() then, and that call could come before the
			// beginning.
			this.calls.remove(lost);
			return;
		}
		Loss loss = new Loss();
		if (this.busy) {
			this.threads.later(() -> this.threads.call(loss::announce), GRACE_MILLIS, TimeUnit.MILLISECONDS);
		}
		add(loss);
	}

	/**
	 * Stops calling the work.
	 */
	void close() {
		List<Drain> unasked;
		synchronized (this) {
			this.closed = true;
			this.calls.clear();
			unasked = List.copyOf(this.drains);
			this.drains.clear();
		}
		// Complete the futures without the lock, because the code that waits for them
		// continues on this thread.
		unasked.forEach((drain) -> drain.outcome.complete(true));
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	private void add(Runnable call) {
		if (this.closed) {
			return;
		}
		this.calls.add(call);
		if (!this.busy) {
			this.busy = true;
			this.threads.call(this::run);
		}
	}

	private void run() {
		Runnable next = next();
		while (next != null) {
			next.run();
			// Clear an interrupt that was meant for the call that has ended.
			Thread.interrupted();
			next = next();
		}
	}

	private synchronized @Nullable Runnable next() {
		Runnable next = this.calls.poll();
		this.busy = next != null;
		return next;
	}

	private void call(String what, Runnable callback) {
		try {
			callback.run();
		}
		catch (Throwable ex) {
			logger.error("Work '{}' failed in {}()", this.work, what, LoggedFailure.of(ex));
		}
	}

	/**
	 * Tells the work that a term has begun. Instances are compared by identity: somebody
	 * may edit the Lease so that the number of a term occurs again.
	 */
	private final class Grant implements Runnable {

		private final Leadership.Term term;

		private boolean begun;

		Grant(Leadership.Term term) {
			this.term = term;
		}

		@Override
		public void run() {
			synchronized (SerialLeaderWork.this) {
				if (SerialLeaderWork.this.granted != this || SerialLeaderWork.this.closed) {
					return;
				}
				this.begun = true;
			}
			call("granted", () -> SerialLeaderWork.this.work.granted(this.term));
		}

	}

	/**
	 * Ends the work of the term that was current when this end was requested.
	 */
	private final class Drain implements Runnable {

		private final Grant ending;

		private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();

		Drain(Grant ending) {
			this.ending = ending;
		}

		@Override
		public void run() {
			this.outcome.complete(begins() ? drain() : isClosed());
		}

		private boolean begins() {
			synchronized (SerialLeaderWork.this) {
				SerialLeaderWork.this.drains.remove(this);
				if (SerialLeaderWork.this.granted != this.ending || SerialLeaderWork.this.closed) {
					return false;
				}
				SerialLeaderWork.this.draining = Thread.currentThread();
				return true;
			}
		}

		private boolean drain() {
			boolean drained = false;
			try {
				drained = SerialLeaderWork.this.work.drain();
			}
			catch (InterruptedException ex) {
				logger.debug("The drain of '{}' was interrupted", SerialLeaderWork.this.work);
			}
			catch (Throwable ex) {
				logger.error("Work '{}' failed in drain()", SerialLeaderWork.this.work, LoggedFailure.of(ex));
			}
			synchronized (SerialLeaderWork.this) {
				SerialLeaderWork.this.draining = null;
				// The call may be late, and another term may have begun.
				boolean present = SerialLeaderWork.this.granted == this.ending;
				if (present && drained) {
					SerialLeaderWork.this.granted = null;
				}
				return present && drained;
			}
		}

	}

	/**
	 * Tells the work once that a term was lost.
	 */
	private final class Loss implements Runnable {

		private final CompletableFuture<Boolean> over = new CompletableFuture<>();

		private boolean announced;

		/**
		 * Tells the work, or waits until another thread has told it, so that the next
		 * call comes after that.
		 */
		@Override
		public void run() {
			announce();
			this.over.join();
		}

		void announce() {
			synchronized (this) {
				if (this.announced) {
					return;
				}
				this.announced = true;
			}
			try {
				if (!isClosed()) {
					call("lost", SerialLeaderWork.this.work::lost);
				}
			}
			finally {
				this.over.complete(true);
			}
		}

	}

}
