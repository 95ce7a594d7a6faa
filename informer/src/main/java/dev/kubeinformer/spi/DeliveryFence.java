package dev.kubeinformer.spi;

import java.util.function.BooleanSupplier;

/**
 * Tells whether the leadership term of a delivery to a leader-only handler is still
 * valid. Integrations that wrap a handler ask the fence right before they call user code,
 * because their own code may have waited past the end of the term.
 */
public final class DeliveryFence {

	private final ThreadLocal<BooleanSupplier> terms = new ThreadLocal<>();

	private final BooleanSupplier leads;

	/**
	 * Creates a fence.
	 * @param leads whether this process leads; asked on threads without a delivery of the
	 * engine
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
	 * @param term whether the term of the delivery is still valid
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
