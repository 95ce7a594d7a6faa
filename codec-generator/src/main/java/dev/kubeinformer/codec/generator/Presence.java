package dev.kubeinformer.codec.generator;

/**
 * When JSON has a field, and so what its model holds if nothing was set.
 */
enum Presence {

	/** Whenever protobuf has it: a pointer that is omitted if it is nil. */
	POINTER,

	/** When it is not empty: zero, false and "" are in protobuf only. */
	OMITTED,

	/** Always: an empty one is zero, false, "" or, for collections, null. */
	ALWAYS,

	/** Never itself, but its fields are those of the message around it. */
	INLINE,

	/** It is all that JSON has of its message: a list. */
	ELEMENTS,

	/** The struct has no tags: its message has a form of its own in JSON. */
	UNKNOWN

}
