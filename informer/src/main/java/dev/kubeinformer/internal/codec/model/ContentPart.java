package dev.kubeinformer.internal.codec.model;

/**
 * Position of a value in an object, which determines the fields that do not belong to the
 * content.
 */
enum ContentPart {

	/** The object. */
	OBJECT,

	/** Its metadata. */
	METADATA,

	/** Anything else. */
	OTHER;

	/**
	 * Returns whether a field does not belong to the content.
	 * @param name the JSON name of the field
	 * @param withStatus whether the status of the object belongs to the content
	 * @return {@code true} if it is ignored
	 */
	boolean leavesOut(String name, boolean withStatus) {
		return switch (this) {
			case OBJECT -> !withStatus && name.equals("status");
			case METADATA -> name.equals("resourceVersion") || name.equals("managedFields");
			case OTHER -> false;
		};
	}

	ContentPart inside(String name) {
		return (this == OBJECT && name.equals("metadata")) ? METADATA : OTHER;
	}

}
