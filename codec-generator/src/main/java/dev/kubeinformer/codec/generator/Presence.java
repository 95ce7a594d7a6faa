package dev.kubeinformer.codec.generator;

/**
 * Condition under which JSON contains a field. It determines the value in a model if the
 * field is unset.
 */
enum Presence {

	/**
	 * JSON contains the field if protobuf does: a pointer that is omitted if it is nil.
	 */
	POINTER,

	/**
	 * JSON contains the field if it is not empty: zero, false and "" occur in protobuf
	 * only.
	 */
	OMITTED,

	/**
	 * JSON always contains the field; an empty one is zero, false, "" or, for
	 * collections, null.
	 */
	ALWAYS,

	/** JSON contains the fields of the value in the enclosing object. */
	INLINE,

	/** JSON represents the message by this list. */
	ELEMENTS,

	/** The struct has no tags: its message has its own form in JSON. */
	UNKNOWN

}
