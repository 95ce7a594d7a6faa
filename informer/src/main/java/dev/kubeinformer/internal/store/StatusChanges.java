package dev.kubeinformer.internal.store;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Received objects that differ from the cached ones by their status only. They are
 * compared outside the store's lock, by the only writer of their partition. What is
 * stored when the lock is held decides: another object than was compared counts as
 * changed.
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
	 * Compares received objects with those of the same key and UID.
	 * @param <T> the model class
	 * @param received the objects
	 * @param present the content at this moment
	 * @param sameApartFromStatus compares two objects; {@code null} if nothing shall be
	 * compared
	 * @return those that differ by their status only
	 */
	@SuppressWarnings("unchecked") // the empty one holds nothing
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
			// Classes of users are looked into. What cannot be compared has changed.
			return false;
		}
	}

	/**
	 * Returns whether an update changes the status only.
	 * @param before the object as it is stored
	 * @param received the object that was received
	 * @return whether these two were compared and differ by nothing else
	 */
	boolean contains(StoredObject<T> before, StoredObject<T> received) {
		return this.comparedWith.get(received) == before.object();
	}

}
