package dev.kubeinformer.test.internal.request;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Newest requests, in the order of their responses.
 */
public final class RequestLog {

	/**
	 * Number of requests that are kept by default.
	 */
	public static final int DEFAULT_LIMIT = 10_000;

	private final int limit;

	private final Signal signal;

	private final Deque<ApiRequest> requests = new ArrayDeque<>();

	private long dropped;

	public RequestLog() {
		this(DEFAULT_LIMIT, new Signal());
	}

	/**
	 * Creates the log.
	 * @param limit the maximum number of requests
	 * @param signal the signal to send after every change
	 */
	public RequestLog(int limit, Signal signal) {
		this.limit = limit;
		this.signal = signal;
	}

	public void add(ApiRequest request) {
		synchronized (this) {
			this.requests.addLast(request);
			while (this.requests.size() > this.limit) {
				this.requests.removeFirst();
				this.dropped++;
			}
		}
		this.signal.give();
	}

	// Replaces a request by the same request with its status, at the end of the log. Does
	// nothing if the request was dropped because of the limit.
	public void replace(ApiRequest former, ApiRequest request) {
		synchronized (this) {
			if (!removeNewest(former)) {
				return;
			}
			this.requests.addLast(request);
		}
		this.signal.give();
	}

	private boolean removeNewest(ApiRequest request) {
		for (Iterator<ApiRequest> newest = this.requests.descendingIterator(); newest.hasNext();) {
			if (newest.next() == request) {
				newest.remove();
				return true;
			}
		}
		return false;
	}

	public synchronized List<ApiRequest> requests() {
		return List.copyOf(this.requests);
	}

	// Returns the number of requests that were dropped because of the limit.
	public synchronized long dropped() {
		return this.dropped;
	}

	public synchronized void clear() {
		this.requests.clear();
		this.dropped = 0;
	}

}
