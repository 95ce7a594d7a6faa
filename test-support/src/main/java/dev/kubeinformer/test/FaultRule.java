package dev.kubeinformer.test;

import java.util.function.Predicate;

/**
 * A fault of requests: whom it hits, how often, and what it does to them.
 */
final class FaultRule implements Fault {

	private final Faults faults;

	private final Predicate<? super RecordedRequest> pattern;

	private final int times;

	private final Effect effect;

	private int hits;

	FaultRule(Faults faults, Predicate<? super RecordedRequest> pattern, int times, Effect effect) {
		this.faults = faults;
		this.pattern = pattern;
		this.times = times;
		this.effect = effect;
	}

	// Count a request if it is to be hit.
	synchronized boolean hit(RecordedRequest request) {
		if (this.hits == this.times || !this.pattern.test(request)) {
			return false;
		}
		this.hits++;
		return true;
	}

	/**
	 * Apply the fault.
	 * @param exchange the request
	 * @return whether the request is answered by it
	 */
	boolean apply(Exchange exchange) {
		return this.effect.apply(exchange);
	}

	@Override
	public void remove() {
		this.faults.remove(this);
	}

	@Override
	public synchronized int hits() {
		return this.hits;
	}

	/**
	 * What a fault does to a request.
	 */
	@FunctionalInterface
	interface Effect {

		boolean apply(Exchange exchange);

	}

}
