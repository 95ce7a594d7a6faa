package dev.kubeinformer.internal.codec.model;

/** Result of checking whether an object contains all wanted values. */
public enum Containment {

	/** The object contains every wanted value, and an apply would remove nothing. */
	HOLDS,

	/**
	 * The object contains every wanted value, and more. Only the schema of a custom
	 * resource knows whether an apply would replace these parts as a whole.
	 */
	HOLDS_AND_MORE,

	/**
	 * The object lacks a wanted value, or contains one in a form that is not known to be
	 * equal.
	 */
	DIFFERS

}
