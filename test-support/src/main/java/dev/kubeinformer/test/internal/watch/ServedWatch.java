package dev.kubeinformer.test.internal.watch;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.fault.WatchFault;
import dev.kubeinformer.test.internal.http.Connections;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.http.Timers;

/**
 * Response of one watch. It does not occupy a thread: each change wakes it, and it then
 * writes the lines of its {@link WatchFeed}. It fetches further lines only when the
 * client has read the previous ones.
 */
final class ServedWatch extends IteratingCallback {

	private static final int BATCH = 64 * 1024;

	private final Exchange exchange;

	private final Response response;

	private final WatchFeed feed;

	private final Executor executor;

	private final Timers timers;

	private final Runnable atEnd;

	private final AtomicBoolean awake = new AtomicBoolean();

	// Revision up to which changes are sent before a regular end. Written before
	// timedOut, so that the thread that reads timedOut sees it.
	private long lastRevision;

	private volatile boolean timedOut;

	private volatile boolean probeDue;

	// Time of the timer for delayed events; read only while the timer is set.
	private long timedUntil;

	private volatile boolean timed;

	private boolean committed;

	private boolean last;

	/**
	 * Creates the stream.
	 * @param exchange the request
	 * @param feed the lines to send
	 * @param executor the executor of the writes
	 * @param timers the timers for delayed events
	 * @param atEnd the callback for any end of the stream
	 */
	ServedWatch(Exchange exchange, WatchFeed feed, Executor executor, Timers timers, Runnable atEnd) {
		this.exchange = exchange;
		this.feed = feed;
		this.executor = executor;
		this.timers = timers;
		this.atEnd = atEnd;
		this.response = exchange.begin(200, Exchange.JSON);
	}

	/**
	 * Wakes the stream, which then looks for lines to write, on another thread than the
	 * caller's.
	 */
	void wake() {
		if (this.awake.compareAndSet(false, true)) {
			this.executor.execute(() -> {
				this.awake.set(false);
				iterate();
			});
		}
	}

	/**
	 * Ends the stream in an orderly way, after all changes so far.
	 */
	void timeOut() {
		this.lastRevision = this.feed.latestRevision();
		this.timedOut = true;
		wake();
	}

	void requestBookmark() {
		this.feed.requestBookmark();
		wake();
	}

	/**
	 * Checks whether the client is still connected.
	 */
	void probe() {
		this.probeDue = true;
		wake();
	}

	@Override
	protected Action process() throws EOFException {
		if (this.last) {
			return Action.SUCCEEDED;
		}
		if (this.probeDue) {
			this.probeDue = false;
			Connections.checkOpen(this.exchange.request());
		}
		WatchFault fault = this.feed.fault();
		if (fault.isCut()) {
			throw new EOFException("The watch was cut");
		}
		boolean tooSlow = !fault.isFrozen() && this.feed.isTooSlow();
		boolean ends = !fault.isFrozen() && this.timedOut;
		byte[] lines = this.feed.next(BATCH);
		boolean over = tooSlow || (ends && this.feed.hasSent(this.lastRevision));
		this.last = over || fault.isTruncated();
		if (lines.length > 0 || this.last || !this.committed) {
			this.committed = true;
			this.response.write(this.last, ByteBuffer.wrap(lines), this);
			return Action.SCHEDULED;
		}
		awaitLag();
		return Action.IDLE;
	}

	// One timer is sufficient, unless a shorter lag needs an earlier one.
	private void awaitLag() {
		Long due = this.feed.due();
		if (due == null || (this.timed && this.timedUntil - due <= 0)) {
			return;
		}
		this.timedUntil = due;
		this.timed = true;
		this.timers.after(Duration.ofNanos(Math.max(0, due - this.feed.now())), () -> {
			this.timed = false;
			wake();
		});
	}

	@Override
	protected void onCompleted(@Nullable Throwable cause) {
		this.atEnd.run();
		if (cause == null) {
			this.exchange.callback().succeeded();
		}
		else {
			Connections.cut(this.exchange.request(), this.exchange.callback());
		}
	}

	@Override
	public InvocationType getInvocationType() {
		return InvocationType.NON_BLOCKING;
	}

}
