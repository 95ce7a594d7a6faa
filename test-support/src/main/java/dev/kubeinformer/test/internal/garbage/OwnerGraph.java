package dev.kubeinformer.test.internal.garbage;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Objects with their owners and dependents, by UID. It is used by one thread at a time.
 */
final class OwnerGraph {

	private final Map<String, Item> items = new HashMap<>();

	private final Map<String, Dependents> dependents = new HashMap<>();

	/**
	 * Replaces the previous state of an object.
	 * @param item the state
	 * @return the previous state, or {@code null} if the graph did not contain the object
	 */
	@Nullable Item put(Item item) {
		Item before = remove(item.uid());
		if (item.isOfInterest()) {
			this.items.put(item.uid(), item);
			item.owners()
				.forEach((owner) -> this.dependents.computeIfAbsent(owner.uid(), (uid) -> new Dependents()).items
					.put(item.uid(), item));
		}
		return before;
	}

	@Nullable Item remove(String uid) {
		Item before = this.items.remove(uid);
		if (before != null) {
			before.owners().forEach((owner) -> release(owner.uid(), uid));
		}
		return before;
	}

	private void release(String owner, String uid) {
		Dependents known = this.dependents.get(owner);
		if (known != null) {
			known.items.remove(uid);
			if (known.items.isEmpty()) {
				this.dependents.remove(owner);
			}
		}
	}

	@Nullable Item get(String uid) {
		return this.items.get(uid);
	}

	Collection<Item> dependents(String owner) {
		Dependents known = this.dependents.get(owner);
		return (known != null) ? List.copyOf(known.items.values()) : List.of();
	}

	// Marks an object with dependents as deleted.
	void markGone(String uid) {
		Dependents known = this.dependents.get(uid);
		if (known != null) {
			known.ownerGone = true;
		}
	}

	// Whether an object was marked as deleted.
	boolean isGone(String uid) {
		Dependents known = this.dependents.get(uid);
		return known != null && known.ownerGone;
	}

	/**
	 * Dependents of one owner.
	 */
	private static final class Dependents {

		private final Map<String, Item> items = new LinkedHashMap<>();

		private boolean ownerGone;

	}

}
