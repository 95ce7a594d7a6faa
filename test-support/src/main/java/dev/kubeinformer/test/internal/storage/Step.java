package dev.kubeinformer.test.internal.storage;

/**
 * What a write does to the storage.
 *
 * @param action what happens
 * @param object the object that is stored, and the answer
 */
public record Step(Action action, PersistedObject object) {

	public static Step keep(PersistedObject answer) {
		return new Step(Action.KEEP, answer);
	}

	public static Step put(PersistedObject next) {
		return new Step(Action.PUT, next);
	}

	public static Step remove(PersistedObject answer) {
		return new Step(Action.REMOVE, answer);
	}

	// The same answer without anything happening.
	public Step dry() {
		return keep(this.object);
	}

	/**
	 * What happens to the stored object.
	 */
	public enum Action {

		/**
		 * It stays as it is.
		 */
		KEEP,

		/**
		 * It gets another state.
		 */
		PUT,

		/**
		 * It is removed.
		 */
		REMOVE

	}

}
