package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Interceptor.Chain;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait while another one connects, and then go over its connection. OkHttp
 * lets requests that find no connection each make one, and all but one of these are given
 * up once HTTP/2 is spoken: as many handshakes as there are informers, at the start and
 * when they come back after an outage. One that hangs is waited for no longer than the
 * patience, and by none once another request has a connection. Where connections turn out
 * to carry one request each, none waits from then on. Attempts that the HTTP client
 * repeats by itself are not covered. Safe for use by several threads.
 */
final class ConnectingTurns {

	/** Around a request; the last of the interceptors of an application. */
	private final Interceptor request = this::request;

	/** After the connection was found or made; the first of those of the network. */
	private final Interceptor connection = this::connection;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Duration patience;

	/** What has no connection yet; guarded by the lock. */
	private @Nullable Call connecting;

	/** Whether connections carry many requests, as far as is known. */
	private boolean shared;

	/**
	 * Creates turns that nobody has.
	 * @param patience how long a request waits at least for another one to connect, and
	 * at most twice as long, so that not all lose it at the same time
	 * @param shared whether a connection may carry many requests
	 */
	ConnectingTurns(Duration patience, boolean shared) {
		this.patience = patience;
		this.shared = shared;
	}

	/**
	 * Creates turns for connections of a client.
	 * @param client the client
	 * @param patience how long a request waits at least for another one to connect
	 * @return the turns
	 */
	static ConnectingTurns of(OkHttpClient client, Duration patience) {
		return new ConnectingTurns(patience, client.protocols().contains(Protocol.HTTP_2)
				|| client.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE));
	}

	/**
	 * Creates turns for other connections to the same server.
	 * @return turns that nobody has
	 */
	ConnectingTurns others() {
		return new ConnectingTurns(this.patience, shared());
	}

	/**
	 * Makes the requests of a client take turns.
	 * @param builder the client, with all its own interceptors
	 */
	void install(OkHttpClient.Builder builder) {
		builder.interceptors().add(this.request);
		builder.networkInterceptors().add(0, this.connection);
	}

	/**
	 * Undoes {@link #install}.
	 * @param builder the client
	 */
	void uninstall(OkHttpClient.Builder builder) {
		builder.interceptors().remove(this.request);
		builder.networkInterceptors().remove(this.connection);
	}

	/**
	 * Makes the requests of a client take no turns. Its connections are there for others.
	 * @param builder the client, installed before
	 */
	void neverWait(OkHttpClient.Builder builder) {
		builder.interceptors().remove(this.request);
	}

	private Response request(Chain chain) throws IOException {
		enter(chain.call());
		try {
			return chain.proceed(chain.request());
		}
		finally {
			leave(chain.call());
		}
	}

	private Response connection(Chain chain) throws IOException {
		Connection found = Objects.requireNonNull(chain.connection(), "not a network interceptor");
		connected(chain.call(), found.protocol() != Protocol.HTTP_1_1);
		return chain.proceed(chain.request());
	}

	/**
	 * Waits until no other request connects.
	 * @param call the request, which has to be {@link #leave left} in the end
	 */
	void enter(Call call) {
		this.lock.lock();
		try {
			if (!mustWait(call)) {
				return;
			}
			long left = this.patience.toNanos() + ThreadLocalRandom.current().nextLong(this.patience.toNanos());
			while (mustWait(call) && left > 0) {
				left = this.changed.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			// The client itself notices, and ends the call as it is used to.
			Thread.currentThread().interrupt();
		}
		finally {
			if (this.connecting == null) {
				this.connecting = call;
			}
			this.lock.unlock();
		}
	}

	private boolean mustWait(Call call) {
		return this.shared && this.connecting != null && !call.isCanceled();
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
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void connected(Call call, boolean many) {
		this.lock.lock();
		try {
			if (many || this.connecting == call) {
				// There is a connection for all, also if another one still waits for its
				// own.
				this.connecting = null;
				this.changed.signal();
			}
			if (this.shared != many) {
				this.shared = many;
				this.changed.signalAll();
			}
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
	 * @return an estimate
	 */
	int waiting() {
		this.lock.lock();
		try {
			return this.lock.getWaitQueueLength(this.changed);
		}
		finally {
			this.lock.unlock();
		}
	}

}
