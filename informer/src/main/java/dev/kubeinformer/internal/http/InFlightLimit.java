package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests of all informers wait for the headers of their responses at
 * the same time. OkHttp learns only after it has sent requests how many streams a server
 * allows on an HTTP/2 connection (RFC 9113, section 5.1.2). Without the limit, the server
 * would refuse further requests, and OkHttp would repeat them over additional
 * connections.
 * <p>
 * Permits are granted in the order of the requests. If a request does not get a response
 * for too long, its permit is lent: another request gets a permit in addition. So a
 * missing response delays other requests only for a limited time. The time in which the
 * request waits for its turn to connect does not count. An open watch has no permit. Safe
 * for use by several threads.
 */
public final class InFlightLimit {

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Permits that requests wait for, in the order of the requests; guarded by the lock.
	 */
	private final Deque<Permit> waiting = new ArrayDeque<>();

	/** Granted permits; guarded by the lock. */
	private final Set<Permit> held = new HashSet<>();

	private final int limit;

	private final long patience;

	private final long longestWait;

	private final LongSupplier nanoTime;

	/**
	 * Creates the limit.
	 * @param limit the number of permits
	 * @param patience the time without a response after which a permit is lent
	 * @param longestWait the longest wait for a permit
	 * @param nanoTime the monotonic clock
	 */
	public InFlightLimit(int limit, Duration patience, Duration longestWait, LongSupplier nanoTime) {
		this.limit = limit;
		this.patience = patience.toNanos();
		this.longestWait = longestWait.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Creates the permit of a request, without waiting for it.
	 * @return the permit
	 */
	public Permit permit() {
		return new Permit();
	}

	/**
	 * Returns the number of requests that wait for a permit.
	 * @return the number
	 */
	int waiting() {
		this.lock.lock();
		try {
			return this.waiting.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Grants the free permits to the requests that have waited longest. Called with the
	 * lock.
	 */
	private void give() {
		long now = this.nanoTime.getAsLong();
		int free = this.limit - busy(now);
		while (free > 0 && !this.waiting.isEmpty()) {
			Permit next = this.waiting.removeFirst();
			next.since = now;
			next.state = State.HELD;
			this.held.add(next);
			next.changed.signal();
			free--;
		}
		Permit first = this.waiting.peekFirst();
		if (first != null) {
			// Only the first waiting request watches the time, and the time at which the
			// next permit can be lent may have changed.
			first.changed.signal();
		}
	}

	private int busy(long now) {
		int busy = 0;
		for (Permit permit : this.held) {
			busy += (permit.turnAwaited || now - permit.since < this.patience) ? 1 : 0;
		}
		return busy;
	}

	/**
	 * Returns the time until the next permit can be lent. Called with the lock.
	 * @param now the time
	 * @return the remaining time; {@link Long#MAX_VALUE} if no permit will be lent
	 */
	private long untilLent(long now) {
		long left = Long.MAX_VALUE;
		for (Permit permit : this.held) {
			long patient = this.patience - (now - permit.since);
			if (!permit.turnAwaited && patient > 0) {
				left = Math.min(left, patient);
			}
		}
		return left;
	}

	private enum State {

		NEW, WAITING, HELD, ENDED

	}

	/** Permit of one request to wait for the headers of its response. */
	public final class Permit implements AutoCloseable {

		private final Condition changed = InFlightLimit.this.lock.newCondition();

		private State state = State.NEW;

		/** Time from which the wait for the response counts. */
		private long since;

		private boolean turnAwaited;

		private volatile boolean connected;

		private volatile @Nullable Duration connecting;

		private Permit() {
		}

		/**
		 * Waits until the request may be sent.
		 * @throws ConnectException if the wait is too long
		 * @throws IOException if the request was cancelled or the thread was interrupted
		 */
		public void acquire() throws IOException {
			InFlightLimit.this.lock.lock();
			try {
				if (this.state == State.NEW) {
					this.state = State.WAITING;
					InFlightLimit.this.waiting.addLast(this);
					give();
				}
				long begin = InFlightLimit.this.nanoTime.getAsLong();
				while (this.state == State.WAITING) {
					await(begin);
				}
				if (this.state == State.ENDED) {
					throw new IOException("Canceled");
				}
			}
			catch (InterruptedException ex) {
				end();
				Thread.currentThread().interrupt();
				throw (IOException) new InterruptedIOException("interrupted").initCause(ex);
			}
			finally {
				InFlightLimit.this.lock.unlock();
			}
		}

		private void await(long begin) throws InterruptedException, ConnectException {
			long now = InFlightLimit.this.nanoTime.getAsLong();
			long left = InFlightLimit.this.longestWait - (now - begin);
			if (left <= 0) {
				end();
				throw new ConnectException("not sent within %d ms: other requests wait for the API server"
					.formatted(Duration.ofNanos(InFlightLimit.this.longestWait).toMillis()));
			}
			boolean first = InFlightLimit.this.waiting.peekFirst() == this;
			this.changed.awaitNanos(first ? Math.min(left, untilLent(now)) : left);
			if (first && this.state == State.WAITING) {
				give();
			}
		}

		/**
		 * Notes that the request waits for its turn to connect. The server is not the
		 * reason for that wait, so the permit is not lent meanwhile.
		 */
		void awaitsTurn() {
			InFlightLimit.this.lock.lock();
			try {
				this.turnAwaited = true;
			}
			finally {
				InFlightLimit.this.lock.unlock();
			}
		}

		/** Notes that the request does not wait for its turn to connect any more. */
		void hasTurn() {
			InFlightLimit.this.lock.lock();
			try {
				this.turnAwaited = false;
				this.since = InFlightLimit.this.nanoTime.getAsLong();
				give();
			}
			finally {
				InFlightLimit.this.lock.unlock();
			}
		}

		/**
		 * Notes that the request has a connection.
		 */
		void connected() {
			this.connected = true;
		}

		/**
		 * Returns whether the request had a connection.
		 * @return {@code true} if the request had a connection
		 */
		public boolean isConnected() {
			return this.connected;
		}

		/**
		 * Limits the time to connect.
		 * @param limit the limit; {@code null} for the timeout of the HTTP client
		 */
		public void connectsWithin(@Nullable Duration limit) {
			this.connecting = limit;
		}

		/**
		 * Returns the limit for the time to connect.
		 * @return the limit; {@code null} for the timeout of the HTTP client
		 */
		@Nullable Duration connecting() {
			return this.connecting;
		}

		/** Releases the permit. A second call does nothing. */
		@Override
		public void close() {
			cancel();
		}

		/**
		 * Ends the wait for the permit, or releases the permit. Any thread may call this.
		 */
		public void cancel() {
			InFlightLimit.this.lock.lock();
			try {
				end();
			}
			finally {
				InFlightLimit.this.lock.unlock();
			}
		}

		private void end() {
			State before = this.state;
			this.state = State.ENDED;
			if (before == State.WAITING) {
				InFlightLimit.this.waiting.remove(this);
				this.changed.signal();
			}
			if (before == State.WAITING || before == State.HELD) {
				InFlightLimit.this.held.remove(this);
				give();
			}
		}

	}

}
