package dev.kubeinformer.internal.transport;

import java.util.concurrent.TimeUnit;

import okio.AsyncTimeout;

/**
 * Timeout that ends before those of all watches, and begins anew. Okio has one thread for
 * timeouts, which it wakes whenever a wait begins that would end before all others. With
 * a single watch each wait for bytes is such a one, so that every event would wake that
 * thread twice, for nothing. It is woken once in a while instead.
 */
final class SleepingWatchdog extends AsyncTimeout {

	/** Watches, and lists too, wait for longer. */
	private static final long SECONDS = 5;

	private static final SleepingWatchdog INSTANCE = new SleepingWatchdog();

	/** The number of watches that are open. */
	private int watches;

	private SleepingWatchdog() {
		timeout(SECONDS, TimeUnit.SECONDS);
	}

	/**
	 * Notes that a watch is open.
	 */
	static void opened() {
		INSTANCE.add();
	}

	/**
	 * Notes that a watch is closed.
	 */
	static void closed() {
		INSTANCE.remove();
	}

	private synchronized void add() {
		if (this.watches++ == 0) {
			enter();
		}
	}

	private synchronized void remove() {
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
