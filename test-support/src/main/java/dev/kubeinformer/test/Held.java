package dev.kubeinformer.test;

/**
 * A request that a fault holds.
 */
@FunctionalInterface
interface Held {

	/**
	 * The fault is removed: go on as if it had never been. It must be quick.
	 */
	void goOn();

	/**
	 * The connection is to be cut.
	 */
	default void abort() {
	}

}
