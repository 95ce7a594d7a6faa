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
 * Makes requests wait while another request connects to the server, so that they share
 * its connection.
 * <p>
 * <b>Problem.</b> If a request finds no connection, OkHttp opens one for it. As soon as
 * HTTP/2 is negotiated, OkHttp closes all these connections except one. So an application
 * causes as many TLS handshakes as it has informers, at its start and after each outage,
 * when the API server is least able to handle them.
 * <p>
 * <b>Idea.</b> Requests queue for a turn to connect. The application interceptor acquires
 * the turn. The network interceptor is called as soon as there is a connection. It ends
 * the waits of all requests, even before there is a response. The other requests then
 * find that connection in OkHttp's pool.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>Turns are granted in the order of arrival. If the request that has the turn hangs,
 * the others wait for it only for a limited time, the patience. Then the next request
 * gets the turn and connects concurrently. A hanging request that has lost its turn
 * cannot end the turn of another request.</li>
 * <li>As soon as any request has a connection that others can use, no request waits any
 * more, even if another request has the turn.</li>
 * <li>If a connection turns out to carry only one request at a time (HTTP/1.1), requests
 * do not wait any more, not even for later connections to the same server.</li>
 * <li>During an outage, on average at most one request connects within each time that is
 * as long as the patience. But {@link #BURST} requests in a row may connect without
 * waiting, and so may as many after each successful connection. So a few informers never
 * wait during an outage, and many informers try one after the other.</li>
 * <li>A request that was cancelled or interrupted does not wait, and no other request
 * waits for it.</li>
 * </ul>
 * <b>Rejected alternatives.</b> Acquiring the turn before the interceptors of the
 * application: a credential plugin that hung blocked every request, so this interceptor
 * is the last one. A turn that only the request with the turn can end: while it hung,
 * others waited although there was a connection. One patience for all waiting requests:
 * when it ended, all of them connected at the same time. Writes that wait, too: they were
 * delayed by informers ({@link #neverWait}). A fair semaphore cannot replace the turns,
 * because a permit cannot be withdrawn from a holder that hangs.
 * <p>
 * <b>Cost.</b> A few short locks for each request, and at most as many waiting threads as
 * {@link InFlightLimit} admits. If OkHttp itself retries a request, the retry does not
 * wait for a turn. Safe for use by several threads.
 */
public final class ConnectCoalescer {

	/** Number of attempts in a row that may fail before the next one waits. */
	static final int BURST = 16;

	/** Application interceptor that acquires the turn; it must be the last one. */
	private final Interceptor request = this::request;

	/**
	 * Network interceptor that is called as soon as there is a connection; it must be the
	 * first one.
	 */
	private final Interceptor connection = this::connection;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Duration patience;

	private final LongSupplier nanoTime;

	// Guarded by the lock, except for the two volatile fields.

	/** Requests that wait for a turn, in the order of their arrival. */
	private final Deque<Call> waiting = new ArrayDeque<>();

	/** Request that has the turn and no connection yet. */
	private @Nullable Call connecting;

	/** Time at which the most recent turn began. */
	private long began;

	/**
	 * Time at which all turns since the last connection would be over, if each lasted as
	 * long as the patience.
	 */
	private long paid;

	/** Failure of the last attempt; {@code null} if it succeeded. */
	private volatile @Nullable IOException failure;

	/**
	 * Whether connections carry many requests at a time; {@code true} while this is
	 * unknown.
	 */
	private volatile boolean shared;

	/**
	 * Creates turns; no request has the turn yet.
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
	 * @return turns; no request has the turn yet
	 */
	public ConnectCoalescer others() {
		return new ConnectCoalescer(this.patience, shared(), this.nanoTime);
	}

	/**
	 * Makes the requests of a client take turns to connect.
	 * @param builder the builder, to which all other interceptors were already added
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
	 * Lets the requests of a client connect without a turn. Requests of other clients can
	 * still use the connections.
	 * @param builder the builder, for which {@link #install} was called
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
	 * Waits until the request has the turn to connect, or need not wait any more.
	 * @param call the request; {@link #leave} must be called for it in the end
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
			// The client checks the flag and ends the call in its usual way.
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
		// The first BURST attempts need not wait for their share of the time.
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
	 * Ends the turn of a request, if it has the turn, and wakes the waiting requests. A
	 * cancelled request that waits stops waiting.
	 * @param call the request, which has a connection, has failed or was cancelled
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
				// All requests can use this connection, even if another request still
				// waits for its own connection.
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
	 * @return {@code true} if no connection has turned out to carry only one request at a
	 * time
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
