package dev.kubeinformer.internal.store;

import dev.kubeinformer.internal.slots.SlotPredicate;

/**
 * Receives the changes of a store in their order. Every method is called under the
 * store's lock, so it must neither block nor call user code. A sink implements the
 * methods that it needs; the others do nothing.
 *
 * @param <T> the model class
 */
public interface DeltaSink<T> {

	/**
	 * Receives one change.
	 * @param delta the change
	 */
	default void delta(Delta<T> delta) {
	}

	/**
	 * Receives a change of an object that cannot be read. It follows the changes of
	 * readable objects that belong to the same write.
	 * @param change the change
	 */
	default void quarantined(QuarantineChange<T> change) {
	}

	/**
	 * Receives an object that leaves the store because this process has lost the object's
	 * shard slot. The object itself still exists.
	 * @param object the object that was stored
	 */
	default void evicted(StoredObject<T> object) {
	}

	/**
	 * Notes that this process has lost shard slots. Called after all their objects were
	 * evicted. Objects of these slots that were deleted before are not evicted, but their
	 * changes may still wait in a sink.
	 * @param lost returns whether an object belongs to one of the slots
	 */
	default void slotsEvicted(SlotPredicate lost) {
	}

	/**
	 * Receives an object whose resync is due.
	 * @param object the object that is stored now
	 */
	default void resync(StoredObject<T> object) {
	}

	/**
	 * Notes that {@link #delta(Delta)} has received every object of the first full state.
	 */
	default void initialStateComplete() {
	}

	/**
	 * Called when the informer is being stopped. The store does not change until the next
	 * start of the informer, so a sink should end its waits for changes.
	 * {@link #initialStateReset()} follows.
	 */
	default void frozen() {
	}

	/**
	 * Notes that the store waits for a first full state again, because its informer was
	 * stopped.
	 */
	default void initialStateReset() {
	}

}
