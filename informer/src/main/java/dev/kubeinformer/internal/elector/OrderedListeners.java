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

/**
 * Calls listeners in order, on a thread that does not renew the Lease. Thread-safe.
 *
 * @param <L> the type of the listeners
 */
public final class OrderedListeners<L> {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	/**
	 * Maximum number of calls that wait. Without it, a listener that hangs would use up
	 * the memory.
	 */
	private static final int MOST_PENDING = 1000;

	private static final Runnable NOTHING = () -> {
	};

	private final List<L> listeners = new CopyOnWriteArrayList<>();

	private final ElectorThreads threads;

	private final Queue<Call<L>> pending = new ArrayDeque<>();

	private boolean busy;

	public OrderedListeners(ElectorThreads threads) {
		this.threads = threads;
	}

	public void add(L listener) {
		this.listeners.add(listener);
	}

	public void remove(L listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Notifies listeners of an event that must not be dropped.
	 * @param call calls a method of one listener
	 */
	public synchronized void notify(Consumer<L> call) {
		if (this.listeners.isEmpty()) {
			return;
		}
		enqueue(new Call<>(call, NOTHING));
	}

	private void enqueue(Call<L> call) {
		this.pending.add(call);
		if (!this.busy) {
			this.busy = true;
			this.threads.call(this::run);
		}
	}

	/**
	 * Notifies listeners of a measurement. If too many calls wait because a listener
	 * hangs, the measurement is dropped.
	 * @param call calls a method of one listener
	 */
	public synchronized void report(Consumer<L> call) {
		if (this.pending.size() < MOST_PENDING) {
			notify(call);
		}
	}

	/**
	 * Notifies listeners, and then runs an action on the same thread.
	 * @param call calls a method of one listener
	 * @param then the action
	 */
	public synchronized void notify(Consumer<L> call, Runnable then) {
		if (this.listeners.isEmpty() && !this.busy) {
			then.run();
			return;
		}
		enqueue(new Call<>(call, then));
	}

	private void run() {
		Call<L> next = next();
		while (next != null) {
			for (L listener : this.listeners) {
				try {
					next.call().accept(listener);
				}
				catch (Throwable ex) {
					logger.error("Listener '{}' failed", listener, LoggedFailure.of(ex));
				}
			}
			next.then().run();
			next = next();
		}
	}

	private synchronized @Nullable Call<L> next() {
		Call<L> next = this.pending.poll();
		this.busy = next != null;
		return next;
	}

	/**
	 * Call of all listeners.
	 *
	 * @param <L> the type of the listeners
	 * @param call calls a method of one listener
	 * @param then the action to run after the listeners
	 */
	private record Call<L>(Consumer<L> call, Runnable then) {

	}

}
