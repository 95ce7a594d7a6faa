package dev.kubeinformer.test.internal.fault;

/**
 * A request that a fault holds.
 */
@FunctionalInterface
public interface Held {

	/**
	 * The fault is removed: go on as if it had never been. It must be quick.
	 */
	void goOn();

	/**
	 * Discards the held request or response: a request that has not started never does,
	 * an response that has started continues.
	 */
	default void discard() {
		goOn();
	}

	/**
	 * The connection is to be cut.
	 */
	default void abort() {
	}

}
