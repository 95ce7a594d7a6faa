package dev.kubeinformer.internal.slots;

import dev.kubeinformer.types.Slots;

/**
 * Tells a reflector the slots whose objects its sink should hold. Slots can move at any
 * time. Any thread may call the methods.
 */
public interface SlotSource {

	/**
	 * Returns the division of objects into slots.
	 * @return the division
	 */
	Slots division();

	/**
	 * Returns whether this process knows its first share of the slots.
	 * @return {@code true} if the held slots are the share of this process; {@code false}
	 * if the share is not known yet
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
