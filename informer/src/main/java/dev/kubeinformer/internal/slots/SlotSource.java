package dev.kubeinformer.internal.slots;

import dev.kubeinformer.types.Slots;

/**
 * Slots of the objects that a reflector keeps in its sink. They move at any time; any
 * thread may ask.
 */
public interface SlotSource {

	/**
	 * Returns the division of objects into slots.
	 * @return the division
	 */
	Slots division();

	/**
	 * Returns whether the first distribution of slots is known.
	 * @return {@code true} if the held slots are the share of this process
	 */
	boolean isSettled();

	/**
	 * Returns the slots of this process.
	 * @return the slots
	 */
	HeldSlots held();

	/**
	 * Returns the slots of which the sink holds a full state.
	 * @return the slots
	 */
	HeldSlots full();

}
