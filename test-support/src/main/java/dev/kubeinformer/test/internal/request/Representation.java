package dev.kubeinformer.test.internal.request;

/**
 * Requested representation of objects.
 *
 * @param form the form
 * @param version the version of the group {@code meta.k8s.io}, for forms that belong to
 * this group
 * @param managedFields whether {@code metadata.managedFields} is sent
 * @param protobuf whether the response is sent as protobuf
 */
public record Representation(Form form, String version, boolean managedFields, boolean protobuf) {

	public String apiVersion() {
		return "meta.k8s.io/" + this.version;
	}

	/**
	 * Returns the same representation, sent as protobuf.
	 * @return the representation
	 */
	Representation asProtobuf() {
		return new Representation(this.form, this.version, this.managedFields, true);
	}

	/**
	 * Returns whether this contains only the metadata of objects.
	 */
	public boolean isMetadata() {
		return this.form == Form.METADATA || this.form == Form.METADATA_LIST;
	}

	/**
	 * Form of objects, from the parameter {@code as} of a media type.
	 */
	public enum Form {

		/**
		 * The complete object.
		 */
		FULL,

		/**
		 * Only the metadata of an object.
		 */
		METADATA,

		/**
		 * Only the metadata of the objects of a list.
		 */
		METADATA_LIST,

		/**
		 * A row of a table, as kubectl prints it.
		 */
		TABLE,

		/**
		 * The document of the aggregated discovery.
		 */
		DISCOVERY

	}

}
