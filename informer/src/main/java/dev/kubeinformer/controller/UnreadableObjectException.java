package dev.kubeinformer.controller;

import dev.kubeinformer.types.ObjectKey;

/**
 * Thrown if a reconciler cannot run for an object. Either the latest state of the object
 * cannot be read as its class, or a transform fails for it. The next attempt comes after
 * the object has changed.
 */
public class UnreadableObjectException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final transient ObjectKey key;

	private final String problem;

	private final boolean deletionHeld;

	/**
	 * Creates an exception.
	 * @param key the object
	 * @param problem the reason why it cannot be read, without values of the object
	 * @param message the consequence, the reason, and advice
	 * @param deletionHeld {@code true} if the object is being deleted and waits for the
	 * finalizer of the reconciler
	 */
	public UnreadableObjectException(ObjectKey key, String problem, String message, boolean deletionHeld) {
		super(message);
		this.key = key;
		this.problem = problem;
		this.deletionHeld = deletionHeld;
	}

	/**
	 * Returns the object.
	 * @return the key of the object
	 */
	public ObjectKey getKey() {
		return this.key;
	}

	/**
	 * Returns why the object cannot be read.
	 * @return the path of the field and its expected type, or the place where a transform
	 * failed; never a value of the object
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Returns whether the object is being deleted but has the finalizer of the
	 * reconciler. The reconciler cannot clean up, because it cannot read the object.
	 * @return {@code true} if its deletion waits
	 */
	public boolean isDeletionHeld() {
		return this.deletionHeld;
	}

}
