package dev.kubeinformer.test;

/**
 * What a write does to the storage.
 *
 * @param action what happens
 * @param object the object that is stored, and the answer
 */
record Step(Action action, StoredObject object) {

	static Step keep(StoredObject answer) {
		return new Step(Action.KEEP, answer);
	}

	static Step put(StoredObject next) {
		return new Step(Action.PUT, next);
	}

	static Step remove(StoredObject answer) {
		return new Step(Action.REMOVE, answer);
	}

	// The same answer without anything happening.
	Step dry() {
		return keep(this.object);
	}

	/**
	 * What happens to the stored object.
	 */
	enum Action {

		KEEP, PUT, REMOVE

	}

}
