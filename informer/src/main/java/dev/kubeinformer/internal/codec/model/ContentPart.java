package dev.kubeinformer.internal.codec.model;

/**
 * Position of a value in an object. It determines which fields of the value are ignored
 * when contents are compared.
 */
enum ContentPart {

	/** The object itself. */
	OBJECT,

	/** The metadata of the object. */
	METADATA,

	/** Any other value in the object. */
	OTHER;

	/**
	 * Returns whether a field is ignored, because it does not belong to the content.
	 * @param name the JSON name of the field
	 * @param withStatus {@code true} if the status of the object belongs to the content
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
