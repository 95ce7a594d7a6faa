package dev.kubeinformer.test;

/**
 * What a fault does to a request.
 */
@FunctionalInterface
interface Effect {

	/**
	 * Applies the fault.
	 * @param rule the fault
	 * @param exchange the request
	 * @param usual answers it as usual
	 */
	void apply(FaultRule rule, Exchange exchange, Runnable usual);

}
