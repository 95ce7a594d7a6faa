package dev.kubeinformer.internal.informer;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.InformerSpec;

/**
 * The informers of an application, the leases of each, and whether all are to run. Safe
 * for use by several threads; its lock is never held while waiting.
 */
public final class InformerRegistry {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<InformerSpec<?>, SharedInformer<?>> informers = new LinkedHashMap<>();

	/** The number of leases of each informer that nobody uses without one. */
	private final Map<InformerSpec<?>, Integer> leases = new HashMap<>();

	private boolean running;

	private boolean discarded;

	/** The number of starts and stops. */
	private int turn;

	/**
	 * Leases the informer of a spec. A new one is due to start if all run.
	 * @param <T> the model class
	 * @param spec the spec
	 * @param factory makes the informer if there is none, or gives {@code null} to
	 * decline
	 * @return the informer; {@code null} if there is none and the factory declined
	 */
	public <T extends KubernetesObject> @Nullable SharedInformer<T> lease(InformerSpec<T> spec,
			Supplier<@Nullable SharedInformer<T>> factory) {
		this.lock.lock();
		try {
			requireUse();
			@SuppressWarnings("unchecked")
			SharedInformer<T> informer = (SharedInformer<T>) this.informers.get(spec);
			if (informer == null) {
				informer = factory.get();
				if (informer == null) {
					return null;
				}
				if (this.running) {
					informer.lifecycle().setStartDue();
				}
				this.informers.put(spec, informer);
				this.leases.put(spec, 1);
			}
			else {
				// None are counted of one that stays for ever.
				this.leases.computeIfPresent(spec, (known, users) -> users + 1);
			}
			return informer;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void requireUse() {
		if (this.discarded) {
			throw new IllegalStateException("These informers were stopped for ever; their cluster was removed");
		}
	}

	/**
	 * Refuses what is asked for from now on.
	 */
	public void discard() {
		this.lock.lock();
		try {
			this.discarded = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes all informers.
	 * @return those that there were, to be retired by the caller
	 */
	public List<SharedInformer<?>> clear() {
		this.lock.lock();
		try {
			List<SharedInformer<?>> all = List.copyOf(this.informers.values());
			this.informers.clear();
			this.leases.clear();
			return all;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Keeps an informer for ever, with or without leases.
	 * @param informer the informer
	 */
	public void keep(SharedInformer<?> informer) {
		this.lock.lock();
		try {
			if (this.informers.get(informer.spec()) == informer) {
				this.leases.remove(informer.spec());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether more than one uses an informer.
	 * @param informer the informer
	 * @return whether there are several leases, or it is kept for ever
	 */
	public boolean isShared(SharedInformer<?> informer) {
		this.lock.lock();
		try {
			Integer users = this.leases.get(informer.spec());
			return this.informers.get(informer.spec()) == informer && (users == null || users > 1);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends a lease. An informer whose last one it was is removed.
	 * @param informer the informer
	 * @return whether it was removed, and is to be retired by the caller
	 */
	public boolean release(SharedInformer<?> informer) {
		InformerSpec<?> spec = informer.spec();
		this.lock.lock();
		try {
			Integer users = this.leases.get(spec);
			if (users == null || this.informers.get(spec) != informer) {
				return false;
			}
			if (users > 1) {
				this.leases.put(spec, users - 1);
				return false;
			}
			this.leases.remove(spec);
			this.informers.remove(spec);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns all informers.
	 * @return the informers in the order in which they were asked for first
	 */
	public List<SharedInformer<?>> all() {
		this.lock.lock();
		try {
			return List.copyOf(this.informers.values());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes a change to what informers are made with, so that each is known to be made
	 * before it or after it.
	 * @param change the change, which neither waits nor calls code of the application
	 * @return the informers that were made before it
	 */
	public List<SharedInformer<?>> all(Runnable change) {
		this.lock.lock();
		try {
			change.run();
			return List.copyOf(this.informers.values());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Begins a turn in which all informers run, unless they do.
	 * @return the turn
	 */
	Turn begin() {
		this.lock.lock();
		try {
			requireUse();
			boolean first = !this.running;
			if (first) {
				this.running = true;
				this.turn++;
				this.informers.values().forEach((informer) -> informer.lifecycle().setStartDue());
			}
			return new Turn(this.turn, first, this.informers.isEmpty());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes a turn back that could not start anything. One that others began stays.
	 * @param own the turn
	 */
	void takeBack(Turn own) {
		this.lock.lock();
		try {
			if (own.first() && this.turn == own.number()) {
				this.running = false;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the turn: from here on nothing is due to start.
	 */
	void end() {
		this.lock.lock();
		try {
			this.running = false;
			this.turn++;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isCurrent(Turn own) {
		this.lock.lock();
		try {
			return this.running && this.turn == own.number();
		}
		finally {
			this.lock.unlock();
		}
	}

	public boolean isRunning() {
		this.lock.lock();
		try {
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The time from a start of all informers to the next stop.
	 *
	 * @param number its number
	 * @param first whether the start that asked for it began it
	 * @param empty whether there was no informer then
	 */
	record Turn(int number, boolean first, boolean empty) {

	}

}
