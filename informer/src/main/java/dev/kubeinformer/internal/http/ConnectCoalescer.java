package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Interceptor.Chain;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.http.InFlightLimit.Permit;

/**
 * Makes requests wait while another one connects, so that they share its connection.
 * <p>
 * <b>Problem.</b> In OkHttp each request that finds no connection opens one. Once HTTP/2
 * is negotiated, it closes all of them except one. So an application causes as many TLS
 * handshakes as it has informers, at its start and after each outage, when the API server
 * is least able to handle them.
 * <p>
 * <b>Idea.</b> Requests queue for a turn to connect. The application interceptor acquires
 * the turn. The network interceptor sees the connection and ends all waits, before the
 * request gets a response. The other requests then find that connection in OkHttp's pool.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>Turns are granted in the order of arrival. Others wait for a hanging request no
 * longer than the patience; then the next one connects concurrently. A hanging request
 * that has lost its turn cannot end another one's.</li>
 * <li>Once any request has a connection that others can use, no request waits, whichever
 * has the turn.</li>
 * <li>Once a connection turns out to carry a single request (HTTP/1.1), requests no
 * longer wait, including those for later connections to the same server.</li>
 * <li>A turn costs the patience. {@link #BURST} turns are on credit, and a connection
 * restores the whole credit. So a few informers never wait during an outage, and many of
 * them try one after the other.</li>
 * <li>A request that was cancelled or interrupted does not wait, and no other waits for
 * it.</li>
 * </ul>
 * <b>Rejected alternatives.</b> Acquiring the turn before the interceptors of the
 * application: a credential plugin that hung blocked every request, so this interceptor
 * is the last one. A turn that only its holder ends: while it hung, others waited
 * although there was a connection. One patience for all: all requests connected at once
 * when it ended. Writes that wait: informers delayed them ({@link #neverWait}). A fair
 * semaphore cannot replace the turns, because a permit cannot be withdrawn from a holder
 * that hangs.
 * <p>
 * <b>Cost.</b> A few short locks for each request, and at most as many waiting threads as
 * {@link InFlightLimit} admits. Retries by OkHttp itself are not covered. Safe for use by
 * several threads.
 */
public final class ConnectCoalescer {

	/** Number of attempts in a row that may fail before the next one waits. */
	static final int BURST = 16;

	/** Application interceptor, which must be the last one. */
	private final Interceptor request = this::request;

	/**
	 * Network interceptor, which must be the first one; it is called once there is a
	 * connection.
	 */
	private final Interceptor connection = this::connection;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Duration patience;

	private final LongSupplier nanoTime;

	// Guarded by the lock, except for the two volatile fields.

	/** Waiting requests in the order of their arrival. */
	private final Deque<Call> waiting = new ArrayDeque<>();

	/** Request that has the turn and no connection yet. */
	private @Nullable Call connecting;

	/** Time at which the most recent turn began. */
	private long began;

	/** Time at which the attempts since the last connection will be paid for. */
	private long paid;

	/** Failure of the last attempt; {@code null} if it succeeded. */
	private volatile @Nullable IOException failure;

	/** Whether connections carry many requests, as far as known. */
	private volatile boolean shared;

	/**
	 * Creates turns without a holder.
	 * @param patience the longest wait for another request to connect
	 * @param shared whether a connection may carry many requests
	 * @param nanoTime the monotonic clock
	 */
	ConnectCoalescer(Duration patience, boolean shared, LongSupplier nanoTime) {
		this.patience = patience;
		this.shared = shared;
		this.nanoTime = nanoTime;
		this.paid = nanoTime.getAsLong();
	}

	/**
	 * Creates turns for connections of a client.
	 * @param client the client
	 * @param patience the longest wait for another request to connect
	 * @return the turns
	 */
	public static ConnectCoalescer of(OkHttpClient client, Duration patience) {
		return new ConnectCoalescer(patience, client.protocols().contains(Protocol.HTTP_2)
				|| client.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE), System::nanoTime);
	}

	/**
	 * Creates turns for other connections to the same server.
	 * @return turns without a holder
	 */
	public ConnectCoalescer others() {
		return new ConnectCoalescer(this.patience, shared(), this.nanoTime);
	}

	/**
	 * Makes the requests of a client take turns.
	 * @param builder the builder, which has all of its own interceptors
	 */
	public void install(OkHttpClient.Builder builder) {
		builder.interceptors().add(this.request);
		builder.networkInterceptors().add(0, this.connection);
	}

	/**
	 * Undoes {@link #install}.
	 * @param builder the builder
	 */
	public void uninstall(OkHttpClient.Builder builder) {
		builder.interceptors().remove(this.request);
		builder.networkInterceptors().remove(this.connection);
	}

	/**
	 * Exempts the requests of a client from turns. Others can still use their
	 * connections.
	 * @param builder the builder, with turns installed
	 */
	public void neverWait(OkHttpClient.Builder builder) {
		builder.interceptors().remove(this.request);
	}

	private Response request(Chain chain) throws IOException {
		enter(chain.call());
		try {
			return limited(chain).proceed(chain.request());
		}
		catch (IOException ex) {
			Permit permit = permit(chain.call());
			if (!chain.call().isCanceled() && (permit == null || !permit.isConnected())) {
				this.failure = ex;
			}
			throw ex;
		}
		finally {
			leave(chain.call());
		}
	}

	private static Chain limited(Chain chain) {
		Permit permit = permit(chain.call());
		Duration limit = (permit != null) ? permit.connecting() : null;
		int usual = chain.connectTimeoutMillis();
		if (limit == null || (usual > 0 && usual <= limit.toMillis())) {
			return chain;
		}
		return chain.withConnectTimeout((int) limit.toMillis(), TimeUnit.MILLISECONDS);
	}

	private Response connection(Chain chain) throws IOException {
		Connection found = Objects.requireNonNull(chain.connection(), "not a network interceptor");
		connected(chain.call(), found.protocol() != Protocol.HTTP_1_1);
		Permit permit = permit(chain.call());
		if (permit != null) {
			permit.connected();
		}
		return chain.proceed(chain.request());
	}

	private static @Nullable Permit permit(Call call) {
		return call.request().tag(Permit.class);
	}

	/**
	 * Waits until no other request connects.
	 * @param call the request, which must {@link #leave leave} in the end
	 */
	public void enter(Call call) {
		Permit permit = permit(call);
		if (permit != null) {
			permit.awaitsTurn();
		}
		this.lock.lock();
		try {
			this.waiting.addLast(call);
			for (long left = untilTurn(call); left > 0; left = untilTurn(call)) {
				this.changed.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			// The client itself checks the flag, and ends the call in its usual way.
			Thread.currentThread().interrupt();
		}
		finally {
			take(call);
			this.lock.unlock();
		}
		if (permit != null) {
			permit.hasTurn();
		}
	}

	private long untilTurn(Call call) {
		if (!this.shared || call.isCanceled()) {
			return 0;
		}
		if (this.waiting.peekFirst() != call) {
			return Long.MAX_VALUE;
		}
		long now = this.nanoTime.getAsLong();
		long patient = (this.connecting != null) ? this.began + this.patience.toNanos() - now : 0;
		// The first BURST attempts are on credit.
		return Math.max(patient, this.paid - this.patience.toNanos() * (BURST - 1) - now);
	}

	private void take(Call call) {
		boolean first = this.waiting.peekFirst() == call;
		this.waiting.remove(call);
		if (first && !call.isCanceled()) {
			long now = this.nanoTime.getAsLong();
			this.connecting = call;
			this.began = now;
			this.paid = ((this.paid - now > 0) ? this.paid : now) + this.patience.toNanos();
		}
		this.changed.signalAll();
	}

	/**
	 * Returns the reason why connecting fails.
	 * @return the failure of the last attempt; {@code null} if there is none
	 */
	@Nullable IOException failure() {
		return this.failure;
	}

	/**
	 * Passes the turn to the next request if this one has it, and ends the request's own
	 * wait if it was cancelled.
	 * @param call the request, connected, failed or cancelled
	 */
	void leave(Call call) {
		this.lock.lock();
		try {
			if (this.connecting == call) {
				this.connecting = null;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void connected(Call call, boolean many) {
		this.lock.lock();
		try {
			this.failure = null;
			this.paid = this.nanoTime.getAsLong();
			this.shared = many;
			if (many || this.connecting == call) {
				// All requests can use this connection, even if another one still waits
				// for its own.
				this.connecting = null;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether connections carry many requests.
	 * @return {@code true} unless a connection was found to carry one request
	 */
	boolean shared() {
		return this.shared;
	}

	/**
	 * Returns the number of waiting requests.
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

}
