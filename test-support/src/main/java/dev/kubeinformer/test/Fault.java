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
	 * Returns the number of requests that the fault has hit.
	 * @return the number of requests
	 */
	int hits();

}
