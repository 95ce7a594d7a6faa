package dev.kubeinformer.internal.reconcile;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Objects whose cleanup has succeeded and whose finalizer could not be removed yet: the
 * next run only removes it. An entry goes with its object, so there are never more than
 * objects that wait for their finalizer.
 */
final class FinishedCleanups {

	/** UIDs of the objects: another object of the same name is cleaned up again. */
	private final Map<ObjectKey, String> uids = new ConcurrentHashMap<>();

	void add(StoredObject<?> object) {
		this.uids.put(object.key(), object.uid());
	}

	boolean contains(StoredObject<?> object) {
		return object.uid().equals(this.uids.get(object.key()));
	}

	/**
	 * Forgets a cleanup.
	 * @param key the object
	 */
	void remove(ObjectKey key) {
		this.uids.remove(key);
	}

	/**
	 * Forgets a cleanup unless its object is the one that is there.
	 * @param key the object
	 * @param present the UID of the object that is there now; {@code null} for none
	 */
	void retain(ObjectKey key, @Nullable String present) {
		String known = this.uids.get(key);
		if (known != null && !known.equals(present)) {
			this.uids.remove(key, known);
		}
	}

}
