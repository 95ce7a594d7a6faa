package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait while another one connects, and then go over its connection. OkHttp
 * lets requests that find no connection each make one, and all but one of these are given
 * up once HTTP/2 is spoken: the handshakes of all informers, at the start and whenever a
 * server comes back. Only one request waits for its connection at a time, and nobody
 * waits for it longer than the patience, so that one that hangs holds up nothing else.
 * Where connections carry one request each, none waits. Safe for use by several threads.
 */
final class ConnectingTurns implements Interceptor {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Duration patience;

	/** What has no connection yet; guarded by the lock. */
	private @Nullable Call connecting;

	/** Whether connections carry many requests, as far as is known. */
	private boolean shared = true;

	ConnectingTurns(Duration patience) {
		this.patience = patience;
	}

	/**
	 * Waits until no other request connects.
	 * @param call the request, which has to be {@link #leave left} in the end
	 */
	void enter(Call call) {
		this.lock.lock();
		try {
			long left = this.patience.toNanos();
			while (this.shared && this.connecting != null && left > 0 && !call.isCanceled()) {
				left = this.changed.awaitNanos(left);
			}
			if (this.connecting == null) {
				this.connecting = call;
			}
		}
		catch (InterruptedException ex) {
			// The client itself notices, and ends the call as it is used to.
			Thread.currentThread().interrupt();
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
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes requests that were cancelled stop waiting.
	 */
	void wakeCancelled() {
		this.lock.lock();
		try {
			this.changed.signalAll();
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

	/**
	 * Gives the turn to the next as soon as there is a connection. To be used as network
	 * interceptor.
	 */
	@Override
	public Response intercept(Chain chain) throws IOException {
		Connection connection = Objects.requireNonNull(chain.connection(), "not a network interceptor");
		connected(connection.protocol() != Protocol.HTTP_1_1);
		leave(chain.call());
		return chain.proceed(chain.request());
	}

	private void connected(boolean many) {
		this.lock.lock();
		try {
			if (this.shared != many) {
				this.shared = many;
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}
