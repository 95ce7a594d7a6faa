package dev.kubeinformer.test;

/**
 * Fault that is in force until it is removed or used up.
 */
public interface Fault {

	/**
	 * Ends the fault. A second call does nothing.
	 */
	void remove();

	/**
	 * Returns how many requests it has hit.
	 * @return the number of requests
	 */
	int hits();

}
