package dev.kubeinformer.internal.slots;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Slots of which a store holds a full state. Safe for use by several threads.
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
	 * Notes that the store holds a full state of slots.
	 * @param slots the indexes of the slots
	 */
	public void add(Set<Integer> slots) {
		change(slots, true);
	}

	/**
	 * Notes that the store does not hold slots any more.
	 * @param slots the indexes of the slots
	 */
	public void remove(Set<Integer> slots) {
		change(slots, false);
	}

	private void change(Set<Integer> slots, boolean present) {
		synchronized (this) {
			Set<Integer> next = new TreeSet<>(this.listed);
			if (!(present ? next.addAll(slots) : next.removeAll(slots))) {
				return;
			}
			this.listed = Set.copyOf(next);
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
