package dev.kubeinformer.spring.leader;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spi.CallbackAware;
import dev.kubeinformer.spring.annotation.LeaderOnly;

/**
 * Running calls of leader-only methods in an application context. The Lease is not
 * released before these calls have ended, and the loss of a term interrupts their
 * threads.
 */
final class LeaderOnlyCalls implements LeaderWork, CallbackAware, SmartLifecycle {

	/**
	 * Lifecycle phase: stop right before the elector, after the web server and the
	 * schedulers.
	 */
	static final int PHASE = LeadershipLifecycle.PHASE + 1;

	private static final Logger logger = LoggerFactory.getLogger(LeaderOnly.class);

	private final Leadership leadership;

	/** Whether the leadership must be checked; otherwise all calls pass. */
	private final boolean electing;

	private final Duration drainTimeout;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition ended = this.lock.newCondition();

	/** Running calls by thread. Guarded by the lock, like all following fields. */
	private final Map<Thread, Call> calls = new HashMap<>();

	private boolean draining;

	private boolean running;

	private Leadership.@Nullable Registration registration;

	/**
	 * Creates an instance for an application context.
	 * @param election the leader election
	 * @param drainTimeout the maximum time to wait for running calls before the Lease is
	 * released or the context stops
	 */
	LeaderOnlyCalls(LeaderElection election, Duration drainTimeout) {
		this.leadership = election.leadership();
		this.electing = election.isElecting();
		this.drainTimeout = drainTimeout;
	}

	/**
	 * Lets the calling thread enter a method if this replica leads.
	 * @return {@code true} if the thread may enter; the caller must then call
	 * {@link #exit()}
	 */
	boolean enter() {
		if (!this.electing) {
			return true;
		}
		this.lock.lock();
		try {
			Call call = this.calls.get(Thread.currentThread());
			// During a drain, a running call may call other leader-only methods, but no
			// new call begins.
			if ((this.draining && call == null) || !this.leadership.isLeader()) {
				return false;
			}
			if (call == null) {
				call = new Call();
				this.calls.put(Thread.currentThread(), call);
			}
			call.depth++;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends a successful {@link #enter()}.
	 */
	void exit() {
		if (!this.electing) {
			return;
		}
		this.lock.lock();
		try {
			Call call = this.calls.get(Thread.currentThread());
			if (call != null && --call.depth == 0) {
				this.calls.remove(Thread.currentThread());
				this.ended.signalAll();
				if (call.interrupted) {
					// Clear the interrupt, which was meant for the call and not for later
					// work of the thread.
					Thread.interrupted();
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void granted(Leadership.Term term) {
		this.lock.lock();
		try {
			this.draining = !this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean drain() throws InterruptedException {
		return drain(0);
	}

	/**
	 * Prevents new calls, and waits within the drain timeout until the running ones have
	 * ended.
	 * @param left the number of running calls at which the wait ends; 1 if the calling
	 * thread runs a call itself
	 * @return {@code true} if no more than {@code left} calls are running
	 * @throws InterruptedException if the thread is interrupted
	 */
	private boolean drain(int left) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			this.draining = true;
			long nanos = TimeUnit.NANOSECONDS.convert(this.drainTimeout);
			while (this.calls.size() > left && nanos > 0) {
				nanos = this.ended.awaitNanos(nanos);
			}
			return this.calls.size() <= left;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isInCallback() {
		this.lock.lock();
		try {
			return this.calls.containsKey(Thread.currentThread());
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void lost() {
		this.lock.lock();
		try {
			this.calls.forEach((thread, call) -> {
				call.interrupted = true;
				thread.interrupt();
			});
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void start() {
		Leadership.Registration before;
		this.lock.lock();
		try {
			if (this.running) {
				return;
			}
			this.running = true;
			this.draining = false;
			before = this.registration;
		}
		finally {
			this.lock.unlock();
		}
		if (before != null) {
			before.close();
		}
		// The registration may grant a term at once, on this thread.
		Leadership.Registration registered = this.electing ? this.leadership.register(this) : null;
		this.lock.lock();
		try {
			this.registration = registered;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void stop() {
		this.lock.lock();
		try {
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
		if (this.electing) {
			drainToStop();
		}
	}

	private void drainToStop() {
		boolean own = isInCallback();
		try {
			boolean drained = drain(own ? 1 : 0);
			if (drained && !own) {
				deregister();
			}
			else if (!drained) {
				// Stay registered, so that the Lease is not released before the calls
				// have ended.
				logger.warn("Calls of leader-only methods are still running after {}; the Lease is not released "
						+ "before they end", this.drainTimeout);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void deregister() {
		Leadership.Registration ending;
		this.lock.lock();
		try {
			ending = this.registration;
			this.registration = null;
		}
		finally {
			this.lock.unlock();
		}
		if (ending != null) {
			ending.close();
		}
	}

	@Override
	public void stop(Runnable callback) {
		if (!this.electing) {
			stop();
			callback.run();
			return;
		}
		LeadershipLifecycle.stopAside(this, this::stop, callback);
	}

	@Override
	public boolean isRunning() {
		this.lock.lock();
		try {
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * State of the nested calls of one thread. Guarded by the lock.
	 */
	private static final class Call {

		private int depth;

		private boolean interrupted;

	}

}
