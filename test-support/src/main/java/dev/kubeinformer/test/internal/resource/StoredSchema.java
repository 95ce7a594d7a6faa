package dev.kubeinformer.test.internal.resource;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.schema.CustomSchema;

/**
 * Schema of a served version of a custom resource, and how objects are read by it.
 *
 * @param served the schema of the version
 * @param stored the schema of the version that is stored
 * @param since the revision up to which objects may have been written by another schema
 */
public record StoredSchema(CustomSchema served, CustomSchema stored, long since) {

	/**
	 * Returns whether an object may have to be converted for a reader.
	 * @param revision the revision of the object
	 * @return {@code true} if it was written by another schema, or may have been
	 */
	public boolean converts(long revision) {
		return (this.served != this.stored || revision <= this.since)
				&& !(this.served.isOpen() && this.stored.isOpen());
	}

	/**
	 * Makes an object of the storage one of this version: fields that the version does
	 * not know are gone, and the defaults of the stored version are set.
	 * @param object the object, which is changed
	 */
	public void convert(ObjectNode object) {
		this.stored.prune(object);
		this.stored.addDefaults(object);
		if (this.served != this.stored) {
			this.served.prune(object);
		}
	}

}
