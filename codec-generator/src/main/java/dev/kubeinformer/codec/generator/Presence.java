package dev.kubeinformer.codec.generator;

/**
 * Condition under which JSON contains a field. It determines the value in a model if
 * protobuf does not contain the field.
 */
enum Presence {

	/**
	 * JSON contains the field if protobuf does. In Go it is a pointer, which is omitted
	 * if it is nil.
	 */
	POINTER,

	/**
	 * JSON contains the field unless it is zero, false or "". Protobuf contains these
	 * values, too.
	 */
	OMITTED,

	/**
	 * JSON always contains the field. If it is unset, JSON contains zero, false or "", or
	 * null for a list or map.
	 */
	ALWAYS,

	/** JSON contains the fields of the value directly in the enclosing object. */
	INLINE,

	/** JSON represents the whole message by this list, its only field. */
	ELEMENTS,

	/** The Go struct has no JSON tags, because its message has a special form in JSON. */
	UNKNOWN

}
