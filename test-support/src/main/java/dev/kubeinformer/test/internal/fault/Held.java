package dev.kubeinformer.test.internal.fault;

/**
 * A request that a fault holds.
 */
@FunctionalInterface
public interface Held {

	/**
	 * Continues the request as usual, because the fault was removed. Must be quick.
	 */
	void goOn();

	/**
	 * Discards the request that is held: it is never executed. A response that has
	 * started continues.
	 */
	default void discard() {
		goOn();
	}

	/**
	 * Cuts the connection.
	 */
	default void abort() {
	}

}
