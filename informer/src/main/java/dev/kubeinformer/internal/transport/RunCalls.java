package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import okhttp3.Call;

/**
 * Requests of one run of a reconciler, which end when the run is cancelled: an interrupt
 * alone does not end a blocking read of OkHttp. Safe for use by several threads.
 */
public final class RunCalls {

	/** Reads whose body may still be read; a thread has few open at once. */
	private static final int MOST_OPEN = 16;

	private final Deque<Call> open = new ArrayDeque<>();

	private boolean cancelled;

	/**
	 * Cancels the requests under way, and refuses those that come.
	 */
	public void cancel() {
		List<Call> calls;
		synchronized (this) {
			this.cancelled = true;
			calls = List.copyOf(this.open);
			this.open.clear();
		}
		// Outside of the lock: it closes sockets.
		calls.forEach(Call::cancel);
	}

	/**
	 * Returns whether the run was cancelled.
	 * @return whether it was
	 */
	public synchronized boolean isCancelled() {
		return this.cancelled;
	}

	/**
	 * Registers a request before it is sent.
	 * @param call the request
	 * @throws IOException if the run was cancelled
	 */
	synchronized void begin(Call call) throws IOException {
		if (this.cancelled) {
			throw new IOException("Canceled: the run that asks has timed out or was stopped");
		}
		if (this.open.size() == MOST_OPEN) {
			this.open.removeFirst();
		}
		this.open.addLast(call);
	}

	/**
	 * Removes a request whose answer was read.
	 * @param call the request
	 */
	synchronized void end(Call call) {
		this.open.remove(call);
	}

}
