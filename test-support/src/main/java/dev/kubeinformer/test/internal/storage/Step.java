package dev.kubeinformer.test.internal.storage;

/**
 * Effect of a write on the storage.
 *
 * @param action the action
 * @param object the object that is stored, which is also the response
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

	// Returns a step with the same response that does not change anything.
	public Step dry() {
		return keep(this.object);
	}

	/**
	 * Action on the stored object.
	 */
	public enum Action {

		/**
		 * The object does not change.
		 */
		KEEP,

		/**
		 * The object gets a new state.
		 */
		PUT,

		/**
		 * The object is removed.
		 */
		REMOVE

	}

}
