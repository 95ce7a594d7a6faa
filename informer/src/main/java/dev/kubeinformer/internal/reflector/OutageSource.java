package dev.kubeinformer.internal.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.reflector.Outage.Party;
import dev.kubeinformer.internal.reflector.Outage.Release;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.Failure;
import dev.kubeinformer.internal.transport.Haste;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.internal.transport.WatchStream;

/**
 * Requests of one reflector, and its waits: what it is answered, and that it is not, all
 * reflectors of the client learn. It is used by its reflector's thread, and closed by
 * any.
 *
 * @param <T> the model class
 */
final class OutageSource<T extends KubernetesObject> implements ApiConnection<T> {

	private final Outages outages;

	private final Condition changed;

	private final Party party;

	private final ApiConnection<T> connection;

	/** Guarded by the lock. */
	private boolean closed;

	OutageSource(Outages outages, Condition changed, Party party, ApiConnection<T> connection) {
		this.outages = outages;
		this.changed = changed;
		this.party = party;
		this.connection = connection;
	}

	Party party() {
		return this.party;
	}

	@Override
	public ListHeader list(ListRequest request, ListItems<T> items) throws IOException {
		begins(true);
		try {
			ListHeader header = this.connection.list(request, items);
			this.outages.tell((outage, now) -> outage.answered(this.party, now));
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
			this.outages.tell((outage, now) -> outage.answered(this.party, now));
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
			this.outages.tell((outage, now) -> outage.opened(this.party, now));
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
			haste = this.outages.outage().begins(this.party, fullState, this.outages.now());
			this.outages.signalNext();
		}
		finally {
			lock.unlock();
		}
		this.connection.hasten(haste);
	}

	private void failed(Failure failure) {
		this.outages.tell((outage, now) -> outage.failed(this.party, failure, now));
	}

	/**
	 * Notes that a watch has broken off.
	 * @param failure what went wrong
	 */
	void broke(Failure failure) {
		// What the server itself ended the watch with shows that it is there.
		if (failure.status() == null) {
			failed(failure);
		}
	}

	/**
	 * Notes that no answer goes on.
	 */
	void idle() {
		this.outages.tell((outage, now) -> {
			outage.closed(this.party, now);
			return null;
		});
	}

	/**
	 * Waits before the next request: while all have lost the server until it is this
	 * one's turn to ask, or another one was answered.
	 * @param own how long it waits for itself
	 * @return whether the failures before do not count any more
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean await(Duration own) throws InterruptedException {
		ReentrantLock lock = this.outages.lock();
		lock.lockInterruptibly();
		try {
			Outage outage = this.outages.outage();
			long end = this.outages.now() + own.toNanos();
			while (!this.closed) {
				Release release = outage.takeRelease(this.party);
				if (release != Release.NONE) {
					return release == Release.FORGIVEN;
				}
				long now = this.outages.now();
				long left = outage.concerns(this.party) ? outage.untilTurn(this.party, now) : end - now;
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
	 * Looks at the wait anew. Called with the lock.
	 */
	void signal() {
		this.changed.signal();
	}

	@Override
	public void recall() {
		this.connection.recall();
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
			this.outages.remove(this);
		}
		finally {
			lock.unlock();
		}
		this.connection.close();
	}

}
