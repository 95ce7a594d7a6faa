package dev.kubeinformer.internal.codec.model;

/**
 * Answer to whether an object holds all that is wanted of it.
 */
public enum Containment {

	/** It holds every wanted value, and an apply would take nothing away. */
	HOLDS,

	/**
	 * It holds every wanted value, and more in places of which only the schema of a
	 * custom resource says whether they are replaced as a whole.
	 */
	HOLDS_AND_MORE,

	/** It lacks a wanted value, or holds one in a form that is not known to be equal. */
	DIFFERS

}
