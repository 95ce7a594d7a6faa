package dev.kubeinformer.controller;

import dev.kubeinformer.types.ObjectKey;

/**
 * Thrown where a reconciler cannot run for an object, because what the API server holds
 * of it cannot be read as its class, or a transform fails on it. There is no further
 * attempt before the object changes.
 */
public class UnreadableObjectException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final transient ObjectKey key;

	private final String problem;

	private final boolean deletionHeld;

	/**
	 * Creates an exception.
	 * @param key the object
	 * @param problem why it cannot be read, without values of the object
	 * @param message what does not happen, why, and what to do
	 * @param deletionHeld whether it is being deleted, and held by the finalizer of the
	 * reconciler
	 */
	public UnreadableObjectException(ObjectKey key, String problem, String message, boolean deletionHeld) {
		super(message);
		this.key = key;
		this.problem = problem;
		this.deletionHeld = deletionHeld;
	}

	/**
	 * Returns the object.
	 * @return its key
	 */
	public ObjectKey getKey() {
		return this.key;
	}

	/**
	 * Returns why the object cannot be read.
	 * @return the path of the field and what it should be, or the place where a transform
	 * failed; never a value of the object
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Returns whether the object is being deleted, and held by the finalizer of the
	 * reconciler, which cannot clean up.
	 * @return whether it is
	 */
	public boolean isDeletionHeld() {
		return this.deletionHeld;
	}

}
