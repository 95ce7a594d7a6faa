package dev.kubeinformer.test;

/**
 * A fault that is in force until it is removed or used up.
 */
public interface Fault {

	/**
	 * End the fault. A second call does nothing.
	 */
	void remove();

	/**
	 * Return how many requests it has hit.
	 * @return the number of requests
	 */
	int hits();

}
