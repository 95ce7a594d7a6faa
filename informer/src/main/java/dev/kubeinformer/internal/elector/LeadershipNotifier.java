package dev.kubeinformer.internal.elector;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.failure.LoggedFailure;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;

/**
 * Calls listeners in order, on a thread that does not renew the Lease. Thread-safe.
 */
public final class LeadershipNotifier {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	/**
	 * Maximum number of pending calls, so that a listener that hangs does not fill the
	 * memory.
	 */
	private static final int MOST_PENDING = 1000;

	private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();

	private final ElectorThreads threads;

	private final Queue<Consumer<LeadershipListener>> pending = new ArrayDeque<>();

	private boolean busy;

	LeadershipNotifier(ElectorThreads threads) {
		this.threads = threads;
	}

	public void add(LeadershipListener listener) {
		this.listeners.add(listener);
	}

	public void remove(LeadershipListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Notifies listeners of an event that must not be dropped.
	 * @param call the call
	 */
	synchronized void notify(Consumer<LeadershipListener> call) {
		if (this.listeners.isEmpty()) {
			return;
		}
		this.pending.add(call);
		if (!this.busy) {
			this.busy = true;
			this.threads.call(this::run);
		}
	}

	/**
	 * Notifies listeners of a measurement, unless a listener hangs.
	 * @param call the call
	 */
	synchronized void report(Consumer<LeadershipListener> call) {
		if (this.pending.size() < MOST_PENDING) {
			notify(call);
		}
	}

	private void run() {
		Consumer<LeadershipListener> next = next();
		while (next != null) {
			for (LeadershipListener listener : this.listeners) {
				try {
					next.accept(listener);
				}
				catch (Throwable ex) {
					logger.error("Listener '{}' failed", listener, LoggedFailure.of(ex));
				}
			}
			next = next();
		}
	}

	private synchronized @Nullable Consumer<LeadershipListener> next() {
		Consumer<LeadershipListener> next = this.pending.poll();
		this.busy = next != null;
		return next;
	}

}
