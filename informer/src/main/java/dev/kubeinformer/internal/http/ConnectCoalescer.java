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
 * Requests that wait while another one connects, and then go over its connection. OkHttp
 * lets requests that find no connection each make one, and all but one of these are given
 * up once HTTP/2 is spoken: as many handshakes as there are informers, at the start and
 * when they come back after an outage. One that hangs is waited for no longer than the
 * patience: then the one that has waited longest connects beside it, and by none once
 * another request has a connection. Where many have failed to connect one after the
 * other, the next tries it after the patience; all others wait meanwhile. Where
 * connections turn out to carry one request each, none waits from then on. Attempts that
 * the HTTP client repeats by itself are not covered. Safe for use by several threads.
 */
public final class ConnectCoalescer {

	/** How many may fail to connect at once; a few informers never have to wait. */
	static final int BURST = 16;

	/** Around a request; the last of the interceptors of an application. */
	private final Interceptor request = this::request;

	/** After the connection was found or made; the first of those of the network. */
	private final Interceptor connection = this::connection;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Duration patience;

	private final LongSupplier nanoTime;

	/** In the order of their arrival; guarded by the lock. */
	private final Deque<Call> waiting = new ArrayDeque<>();

	/** What has no connection yet; guarded by the lock. */
	private @Nullable Call connecting;

	/** When the most recent turn began. */
	private long began;

	/**
	 * When the attempts since the last connection are paid for, of which one costs the
	 * patience; guarded by the lock.
	 */
	private long paid;

	/** Why the last attempt failed; {@code null} if it did not. */
	private @Nullable IOException failure;

	/** Whether connections carry many requests, as far as is known. */
	private boolean shared;

	/**
	 * Creates turns that nobody has.
	 * @param patience how long a request waits for another one to connect
	 * @param shared whether a connection may carry many requests
	 * @param nanoTime the time that only grows
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
	 * @param patience how long a request waits for another one to connect
	 * @return the turns
	 */
	public static ConnectCoalescer of(OkHttpClient client, Duration patience) {
		return new ConnectCoalescer(patience, client.protocols().contains(Protocol.HTTP_2)
				|| client.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE), System::nanoTime);
	}

	/**
	 * Creates turns for other connections to the same server.
	 * @return turns that nobody has
	 */
	public ConnectCoalescer others() {
		return new ConnectCoalescer(this.patience, shared(), this.nanoTime);
	}

	/**
	 * Makes the requests of a client take turns.
	 * @param builder the client, with all its own interceptors
	 */
	public void install(OkHttpClient.Builder builder) {
		builder.interceptors().add(this.request);
		builder.networkInterceptors().add(0, this.connection);
	}

	/**
	 * Undoes {@link #install}.
	 * @param builder the client
	 */
	public void uninstall(OkHttpClient.Builder builder) {
		builder.interceptors().remove(this.request);
		builder.networkInterceptors().remove(this.connection);
	}

	/**
	 * Makes the requests of a client take no turns. Its connections are there for others.
	 * @param builder the client, installed before
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
			failed(chain.call(), ex);
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
	 * @param call the request, which has to be {@link #leave left} in the end
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
			// The client itself notices, and ends the call as it is used to.
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
		// As many attempts as there may be at once are on credit.
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

	private void failed(Call call, IOException ex) {
		this.lock.lock();
		try {
			Permit permit = permit(call);
			if (!call.isCanceled() && (permit == null || !permit.isConnected())) {
				this.failure = ex;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns why nobody can connect.
	 * @return the failure of the last attempt; {@code null} if there is none
	 */
	@Nullable IOException failure() {
		this.lock.lock();
		try {
			return this.failure;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Gives the turn to the next request, if this one still has it.
	 * @param call the request, connected or failed
	 */
	void leave(Call call) {
		this.lock.lock();
		try {
			if (this.connecting == call) {
				this.connecting = null;
				this.changed.signalAll();
			}
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
				// There is a connection for all, also if another one still waits for its
				// own.
				this.connecting = null;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes a request that was cancelled stop waiting, and others stop waiting for it.
	 * @param call the request
	 */
	void abandon(Call call) {
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

	/**
	 * Returns whether connections carry many requests.
	 * @return whether they do, as far as is known
	 */
	boolean shared() {
		this.lock.lock();
		try {
			return this.shared;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns how many requests wait.
	 * @return their number
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
