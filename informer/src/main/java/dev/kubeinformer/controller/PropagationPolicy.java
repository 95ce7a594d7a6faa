package dev.kubeinformer.controller;

/**
 * Handling of the dependents of a deleted object, which are the objects with an owner
 * reference to it. Garbage collection of the cluster carries it out.
 */
public enum PropagationPolicy {

	/** Delete the object at once, and its dependents afterwards. */
	BACKGROUND("Background"),

	/**
	 * Delete the dependents first. Until they are gone, the object stays with a
	 * {@code deletionTimestamp} and the finalizer {@code foregroundDeletion}. Dependents
	 * whose owner reference does not say {@code blockOwnerDeletion} are not waited for.
	 */
	FOREGROUND("Foreground"),

	/** Keep the dependents, without their owner reference to the object. */
	ORPHAN("Orphan");

	private final String value;

	PropagationPolicy(String value) {
		this.value = value;
	}

	/**
	 * Returns the {@code propagationPolicy} of {@code DeleteOptions}.
	 * @return the value
	 */
	public String value() {
		return this.value;
	}

}
