package dev.kubeinformer.internal.codec.model;

/**
 * Place of a value in an object, as far as it decides which fields are no content.
 */
enum ContentPart {

	/** The object. */
	OBJECT,

	/** Its metadata. */
	METADATA,

	/** Anything else. */
	OTHER;

	/**
	 * Returns whether a field is left out.
	 * @param name its name in JSON
	 * @param withStatus whether the status of the object is content
	 * @return whether it is none of the content
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
