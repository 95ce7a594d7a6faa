package dev.kubeinformer.spi;

import java.util.function.BooleanSupplier;

/**
 * Says whether the term of leadership goes on in which an event is delivered to a
 * leader-only handler. Integrations that wrap a handler ask it right before they call
 * user code: what they do before that may have waited past the end of the term.
 */
public final class DeliveryFence {

	private final ThreadLocal<BooleanSupplier> terms = new ThreadLocal<>();

	private final BooleanSupplier leads;

	/**
	 * Creates a fence.
	 * @param leads whether this process leads, for a thread in which the engine delivers
	 * nothing
	 */
	public DeliveryFence(BooleanSupplier leads) {
		this.leads = leads;
	}

	/**
	 * Returns whether the event that this thread delivers may be handled.
	 * @return {@code true} if the term of the delivery goes on
	 */
	public boolean admits() {
		BooleanSupplier term = this.terms.get();
		return (term != null) ? term.getAsBoolean() : this.leads.getAsBoolean();
	}

	/**
	 * Begins a delivery in this thread. Called by the engine.
	 * @param term whether the term of the delivery goes on
	 */
	public void enter(BooleanSupplier term) {
		this.terms.set(term);
	}

	/**
	 * Ends the delivery in this thread. Called by the engine.
	 */
	public void leave() {
		this.terms.remove();
	}

}
