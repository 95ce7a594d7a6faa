package dev.kubeinformer.internal.codec.model;

/** Result of checking whether an object contains all wanted values. */
public enum Containment {

	/** The object contains every wanted value, and an apply would remove nothing. */
	HOLDS,

	/**
	 * The object contains every wanted value, and additional values. Whether an apply
	 * would remove the additional values depends on the schema of the custom resource,
	 * which is not known here.
	 */
	HOLDS_AND_MORE,

	/**
	 * The object lacks a wanted value, or contains one in a form that is not known to be
	 * equal.
	 */
	DIFFERS

}
