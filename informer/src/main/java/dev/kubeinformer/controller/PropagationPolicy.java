package dev.kubeinformer.controller;

/**
 * Handling of the dependents of a deleted object, which are the objects with an owner
 * reference to it. The cluster's garbage collection carries it out.
 */
public enum PropagationPolicy {

	/** Deletes the object at once, and its dependents afterwards. */
	BACKGROUND("Background"),

	/**
	 * Deletes the dependents first. Until they are gone, the object stays with a {@code
	 * deletionTimestamp} and the finalizer {@code foregroundDeletion}. It does not wait
	 * for dependents whose owner reference does not set {@code blockOwnerDeletion}.
	 */
	FOREGROUND("Foreground"),

	/** Keeps the dependents, without their owner reference to the object. */
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
