package dev.kubeinformer.internal.transport;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import okhttp3.Call;
import okhttp3.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.http.WriteObserver;

/**
 * Requests of one run of a reconciler. They are cancelled together with the run, because
 * an interrupt alone does not end a blocking read of OkHttp. Safe for use by several
 * threads.
 */
public final class RunCalls implements OwnConnections.User {

	private static final Logger logger = LoggerFactory.getLogger(RunCalls.class);

	/**
	 * Maximum number of read requests that are remembered because their response body may
	 * still be open. A thread has few of them open at a time.
	 */
	private static final int MOST_OPEN = 16;

	private final Fence fence;

	private final WriteObserver observer;

	private final Deque<Call> open = new ArrayDeque<>();

	private final List<Closeable> connections = new ArrayList<>(1);

	private boolean cancelled;

	/**
	 * Creates an instance for a run, with an observer.
	 * @param fence decides whether the run may send requests
	 * @param observer the observer of its writes
	 */
	public RunCalls(Fence fence, WriteObserver observer) {
		this.fence = fence;
		this.observer = observer;
	}

	/**
	 * Creates an instance for a run, without an observer.
	 * @param fence decides whether the run may send requests
	 */
	public RunCalls(Fence fence) {
		this(fence, WriteObserver.NONE);
	}

	WriteObserver observer() {
		return this.observer;
	}

	/**
	 * Checks that the fence still admits requests of the run.
	 * @param what the next request, for the message
	 * @throws RuntimeException if the {@link Fence} does not admit requests of the run
	 * any more
	 */
	void requireAdmitted(String what) {
		if (!this.fence.admitsRequests()) {
			throw this.fence.refusal(what);
		}
	}

	/**
	 * Requires that the run may still send requests.
	 * @param request the next request
	 * @throws RuntimeException the exception of the fence, if it does not admit the
	 * request
	 */
	void requireAdmitted(Request request) {
		if (!this.fence.admitsRequests()) {
			throw this.fence.refusal(request.method() + " " + request.url().encodedPath());
		}
	}

	/** Cancels the current requests and rejects later ones. */
	public void cancel() {
		List<Call> calls;
		synchronized (this) {
			this.cancelled = true;
			calls = List.copyOf(this.open);
			this.open.clear();
			// Cut the connections under the lock: once the run has released a connection,
			// another run may use it.
			this.connections.forEach(RunCalls::cut);
		}
		// Cancel without the lock, because cancelling closes sockets and calls listeners.
		calls.forEach(Call::cancel);
	}

	private static void cut(Closeable connection) {
		try {
			connection.close();
		}
		catch (IOException ex) {
			// The socket is closed in either case.
			logger.debug("A connection of a cancelled run was not closed cleanly", ex);
		}
	}

	@Override
	public synchronized boolean isCancelled() {
		return this.cancelled;
	}

	/**
	 * Registers a request before it is sent.
	 * @param call the request
	 * @throws IOException if the run was cancelled
	 * @throws RuntimeException if the {@link Fence} does not admit requests of the run
	 * any more
	 */
	void begin(Call call) throws IOException {
		// Check the fence without the lock, because the loss of the leadership must not
		// wait for the lock.
		requireAdmitted(call.request());
		register(call);
	}

	@Override
	public synchronized void begin(Closeable connection) throws IOException {
		requireUncancelled();
		this.connections.add(connection);
	}

	@Override
	public synchronized void end(Closeable connection) {
		this.connections.remove(connection);
	}

	private void requireUncancelled() throws IOException {
		if (this.cancelled) {
			throw new IOException("Canceled: the run has timed out or was stopped");
		}
	}

	private synchronized void register(Call call) throws IOException {
		requireUncancelled();
		if (this.open.size() == MOST_OPEN) {
			this.open.removeFirst();
		}
		this.open.addLast(call);
	}

	/**
	 * Removes a request whose response was read.
	 * @param call the request
	 */
	synchronized void end(Call call) {
		this.open.remove(call);
	}

}
