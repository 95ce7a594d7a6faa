package dev.kubeinformer.internal.slots;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Remembers the slots of which a store holds a full state. Safe for use by several
 * threads.
 */
public final class ListedSlots {

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private volatile Set<Integer> listed = Set.of();

	/**
	 * Returns the slots of which the store holds a full state.
	 * @return the indexes of the slots
	 */
	public Set<Integer> present() {
		return this.listed;
	}

	/**
	 * Reads the slots again from the store. Concurrent calls end with the latest state.
	 * @param state reads the slots of which the store holds a full state
	 */
	public void update(Supplier<Set<Integer>> state) {
		synchronized (this) {
			Set<Integer> next = Set.copyOf(state.get());
			if (next.equals(this.listed)) {
				return;
			}
			this.listed = next;
		}
		this.listeners.forEach(Runnable::run);
	}

	/**
	 * Adds a listener that is called after each change. It must be quick.
	 * @param listener the listener
	 */
	public void addListener(Runnable listener) {
		this.listeners.add(listener);
	}

	/**
	 * Removes a listener.
	 * @param listener the listener
	 */
	public void removeListener(Runnable listener) {
		this.listeners.remove(listener);
	}

}
