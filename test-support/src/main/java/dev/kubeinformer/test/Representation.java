package dev.kubeinformer.test;

/**
 * How a client wants objects to be served.
 *
 * @param form the form
 * @param version the version of meta.k8s.io for the forms that are of it
 * @param managedFields whether {@code metadata.managedFields} is told
 */
record Representation(Form form, String version, boolean managedFields) {

	String apiVersion() {
		return "meta.k8s.io/" + this.version;
	}

	/**
	 * What the parameter {@code as} of a media type asks for.
	 */
	enum Form {

		FULL, METADATA, METADATA_LIST, TABLE, DISCOVERY

	}

}
