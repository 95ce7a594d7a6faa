package dev.kubeinformer.internal.control;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.types.ObjectKey;

/**
 * What is notified of the change that leads to a live run of a key. It is called under
 * the lock of a store, before the queue has the key.
 */
@FunctionalInterface
public interface KeyCauses {

	/**
	 * Takes the cause of a run.
	 * @param key the key of the primary
	 * @param delta the change of the primary, or of an object that it owns
	 */
	void caused(ObjectKey key, Delta<?> delta);

}
