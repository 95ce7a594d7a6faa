package dev.kubeinformer.internal.slots;

/**
 * Selects objects by their slot.
 */
@FunctionalInterface
public interface SlotPredicate {

	/**
	 * Returns whether an object is selected.
	 * @param namespace its namespace, empty for cluster-scoped objects
	 * @param uid its UID, empty if unknown
	 * @return {@code true} if the object is in one of the slots; {@code false} if the
	 * slot cannot be known
	 */
	boolean test(String namespace, String uid);

}
