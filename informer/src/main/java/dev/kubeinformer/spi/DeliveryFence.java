package dev.kubeinformer.spi;

import java.util.function.BooleanSupplier;

/**
 * Tells whether the leader's term of a delivery to a leader-only handler is still valid.
 * An integration that wraps a handler asks the fence immediately before it calls user
 * code, because the term may have ended while code of the integration waited.
 */
public final class DeliveryFence {

	private final ThreadLocal<BooleanSupplier> terms = new ThreadLocal<>();

	private final BooleanSupplier leads;

	/**
	 * Creates a fence.
	 * @param leads returns whether this process leads; only called on threads that do not
	 * deliver an event at that time
	 */
	public DeliveryFence(BooleanSupplier leads) {
		this.leads = leads;
	}

	/**
	 * Returns whether the event that this thread delivers may be handled.
	 * @return {@code true} if the term of the delivery is still valid
	 */
	public boolean admits() {
		BooleanSupplier term = this.terms.get();
		return (term != null) ? term.getAsBoolean() : this.leads.getAsBoolean();
	}

	/**
	 * Begins a delivery on this thread. Called by the engine.
	 * @param term returns whether the term of the delivery is still valid
	 */
	public void enter(BooleanSupplier term) {
		this.terms.set(term);
	}

	/**
	 * Ends the delivery on this thread. Called by the engine.
	 */
	public void leave() {
		this.terms.remove();
	}

}
