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
	 * The fault is removed, and what it holds is not wanted any more: a request that has
	 * not begun never does, an answer that has begun goes on.
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
