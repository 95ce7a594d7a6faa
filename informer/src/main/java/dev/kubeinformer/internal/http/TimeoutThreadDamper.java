package dev.kubeinformer.internal.http;

import java.util.concurrent.TimeUnit;

import okio.AsyncTimeout;

/**
 * Timeout that ends before those of all watches, and begins anew. Okio has one thread for
 * timeouts, which it wakes whenever a wait begins that would end before all others. With
 * a single watch each wait for bytes is such a one, so that every event would wake that
 * thread twice, for nothing. It is woken once in a while instead.
 * <p>
 * It may be used by several threads.
 */
public final class TimeoutThreadDamper extends AsyncTimeout {

	/** Watches, and lists too, wait for longer. */
	private static final long SECONDS = 5;

	/** The number of watches that are open. */
	private int watches;

	public TimeoutThreadDamper() {
		timeout(SECONDS, TimeUnit.SECONDS);
	}

	/**
	 * Notes that a watch is open.
	 */
	public synchronized void opened() {
		if (this.watches++ == 0) {
			enter();
		}
	}

	/**
	 * Notes that a watch is closed.
	 */
	public synchronized void closed() {
		if (--this.watches == 0) {
			exit();
		}
	}

	@Override
	protected synchronized void timedOut() {
		// The last watch may have been closed, and another one opened, since it was over.
		exit();
		if (this.watches > 0) {
			enter();
		}
	}

}
