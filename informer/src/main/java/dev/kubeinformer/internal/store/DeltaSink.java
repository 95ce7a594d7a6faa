package dev.kubeinformer.internal.store;

/**
 * Sink of the changes of a store, in their order. Every method is called under the
 * store's lock: it must neither block nor call user code. A sink implements what it needs
 * and ignores the rest.
 *
 * @param <T> the model class
 */
public interface DeltaSink<T> {

	/**
	 * Takes one change.
	 * @param delta the change
	 */
	default void delta(Delta<T> delta) {
	}

	/**
	 * Takes a change of what cannot be read. It comes after the changes of what can be
	 * that belong to it.
	 * @param change the change
	 */
	default void quarantined(QuarantineChange<T> change) {
	}

	/**
	 * Takes an object whose resync is due.
	 * @param object the object that is stored now
	 */
	default void resync(StoredObject<T> object) {
	}

	/**
	 * Notes that everything of the first full state was given to {@link #delta(Delta)}.
	 */
	default void initialStateComplete() {
	}

	/**
	 * Notes that nothing changes any more, because the informer is being stopped: what
	 * waits for changes waits in vain. {@link #initialStateReset()} follows.
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
