package dev.kubeinformer.internal.store;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Finds received objects that differ from the cached ones in their status only. The
 * writer of their partition compares them before it acquires the store's lock. If the
 * store holds another object by the time it is locked, the received object counts as
 * changed in more than its status.
 *
 * @param <T> the model class
 */
final class StatusChanges<T> {

	private static final StatusChanges<?> NONE = new StatusChanges<>(Map.of());

	private final Map<StoredObject<T>, T> comparedWith;

	private StatusChanges(Map<StoredObject<T>, T> comparedWith) {
		this.comparedWith = comparedWith;
	}

	/**
	 * Compares received objects with the cached objects of the same key and UID.
	 * @param <T> the model class
	 * @param received the objects
	 * @param present the current content
	 * @param sameApartFromStatus compares two objects; {@code null} to compare nothing
	 * @return the objects that differ in their status only
	 */
	@SuppressWarnings("unchecked") // The empty instance holds nothing.
	static <T> StatusChanges<T> of(Collection<StoredObject<T>> received, StoreSnapshot<T> present,
			@Nullable BiPredicate<? super T, ? super T> sameApartFromStatus) {
		if (sameApartFromStatus == null) {
			return (StatusChanges<T>) NONE;
		}
		Map<StoredObject<T>, T> comparedWith = new IdentityHashMap<>(2);
		for (StoredObject<T> object : received) {
			StoredObject<T> known = present.find(object.namespace(), object.name());
			if (known != null && known.isSameObjectAs(object) && !object.isVersion(known.uid(), known.resourceVersion())
					&& isSame(sameApartFromStatus, known.object(), object.object())) {
				comparedWith.put(object, known.object());
			}
		}
		return new StatusChanges<>(comparedWith);
	}

	private static <T> boolean isSame(BiPredicate<? super T, ? super T> sameApartFromStatus, T before, T after) {
		try {
			return sameApartFromStatus.test(before, after);
		}
		catch (RuntimeException ex) {
			// The comparison calls methods of user classes. An object that cannot be
			// compared counts as changed.
			return false;
		}
	}

	/**
	 * Returns whether an update changes the status only.
	 * @param before the object as it is stored
	 * @param received the object that was received
	 * @return {@code true} if these two objects were compared and differ only in their
	 * status
	 */
	boolean contains(StoredObject<T> before, StoredObject<T> received) {
		return this.comparedWith.get(received) == before.object();
	}

}
