package dev.kubeinformer.internal.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Outage.Release;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.Haste;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.internal.transport.WatchStream;

/**
 * Sends the requests of one reflector, and shares their outcome with the other reflectors
 * of the client. Used by the thread of the reflector, and closed by any thread.
 *
 * @param <T> the model class
 */
final class OutageSource<T extends KubernetesObject> implements ApiConnection<T> {

	private final Outages outages;

	private final Condition changed;

	private final Outage.Source state;

	private final ApiConnection<T> connection;

	/** Guarded by the lock. */
	private boolean closed;

	OutageSource(Outages outages, Condition changed, Outage.Source state, ApiConnection<T> connection) {
		this.outages = outages;
		this.changed = changed;
		this.state = state;
		this.connection = connection;
	}

	Outage.Source state() {
		return this.state;
	}

	@Override
	public ListHeader list(ListRequest request, ListItems<T> items) throws IOException {
		begins(true);
		try {
			ListHeader header = this.connection.list(request, items);
			this.outages.apply((outage, now) -> outage.answered(this.state, now));
			return header;
		}
		catch (IOException ex) {
			failed(Failure.of(ex));
			throw ex;
		}
	}

	@Override
	public String probe() throws IOException {
		begins(false);
		try {
			String version = this.connection.probe();
			this.outages.apply((outage, now) -> outage.answered(this.state, now));
			return version;
		}
		catch (IOException ex) {
			failed(Failure.of(ex));
			throw ex;
		}
	}

	@Override
	public WatchStream<T> watch(WatchRequest request) throws IOException {
		begins(request.initialEvents());
		try {
			WatchStream<T> stream = this.connection.watch(request);
			this.outages.apply((outage, now) -> outage.opened(this.state, now));
			return stream;
		}
		catch (IOException ex) {
			failed(Failure.of(ex));
			throw ex;
		}
	}

	private void begins(boolean fullState) {
		@Nullable Haste haste;
		ReentrantLock lock = this.outages.lock();
		lock.lock();
		try {
			haste = this.outages.outage().begins(this.state, fullState, this.outages.now());
			this.outages.signalNext();
		}
		finally {
			lock.unlock();
		}
		this.connection.hasten(haste);
	}

	private void failed(Failure failure) {
		this.outages.apply((outage, now) -> outage.failed(this.state, failure, now));
	}

	/**
	 * Notes that a watch failed.
	 * @param failure the failure
	 */
	void broke(Failure failure) {
		// An error event comes from a server that responds.
		if (failure.status() == null) {
			failed(failure);
		}
	}

	/**
	 * Notes that the reflector neither waits for a response nor has an open watch.
	 */
	void idle() {
		this.outages.apply((outage, now) -> {
			outage.closed(this.state, now);
			return null;
		});
	}

	/**
	 * Ends the use of the shared state, because the reflector sends no further requests.
	 */
	void leave() {
		this.outages.remove(this);
	}

	/**
	 * Waits before the next request: for the reflector's own backoff or, while all
	 * reflectors have lost the server, until its turn to probe or the end of the outage.
	 * @param own the reflector's own backoff
	 * @return {@code true} if earlier failures do not count any more; {@code false} if
	 * they still increase the backoff
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean await(Duration own) throws InterruptedException {
		ReentrantLock lock = this.outages.lock();
		lock.lockInterruptibly();
		try {
			Outage outage = this.outages.outage();
			long end = this.outages.now() + own.toNanos();
			while (!this.closed) {
				Release release = outage.takeRelease(this.state);
				if (release != Release.NONE) {
					return release == Release.FORGIVEN;
				}
				long now = this.outages.now();
				long left = outage.concerns(this.state) ? outage.untilTurn(this.state, now) : end - now;
				if (left <= 0) {
					this.outages.signalNext();
					return false;
				}
				this.changed.awaitNanos(left);
			}
			return false;
		}
		finally {
			lock.unlock();
		}
	}

	/**
	 * Wakes the waiting reflector, which checks whether its wait is over. Called with the
	 * lock.
	 */
	void signal() {
		this.changed.signal();
	}

	@Override
	public void recall() {
		this.connection.recall();
	}

	@Override
	public void endWatch() {
		this.connection.endWatch();
	}

	@Override
	public void avoidProtobuf() {
		this.connection.avoidProtobuf();
	}

	@Override
	public void forgetParts() {
		this.connection.forgetParts();
	}

	@Override
	public void close() {
		ReentrantLock lock = this.outages.lock();
		lock.lock();
		try {
			this.closed = true;
			this.changed.signal();
		}
		finally {
			lock.unlock();
		}
		leave();
		this.connection.close();
	}

}
