package dev.kubeinformer.test.internal.fault;

import dev.kubeinformer.test.internal.http.Exchange;

/**
 * Effect of a fault on a request.
 */
@FunctionalInterface
public interface Effect {

	/**
	 * Applies the fault.
	 * @param rule the fault
	 * @param exchange the request
	 * @param usual serves the request as usual
	 */
	void apply(FaultRule rule, Exchange exchange, Runnable usual);

}
