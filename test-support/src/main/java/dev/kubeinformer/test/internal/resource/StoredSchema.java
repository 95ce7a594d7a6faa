package dev.kubeinformer.test.internal.resource;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.schema.CustomSchema;

/**
 * Schema of a served version of a custom resource, with which stored objects are read in
 * this version.
 *
 * @param served the schema of the version
 * @param stored the schema of the version that is stored
 * @param since the revision up to which objects may have been written by another schema
 */
public record StoredSchema(CustomSchema served, CustomSchema stored, long since) {

	/**
	 * Returns whether a stored object must be converted before it is served.
	 * @param revision the revision of the object
	 * @return {@code true} if it was written by another schema, or may have been
	 */
	public boolean converts(long revision) {
		return (this.served != this.stored || revision <= this.since)
				&& !(this.served.isOpen() && this.stored.isOpen());
	}

	/**
	 * Converts a stored object to this version: sets the defaults of the stored version,
	 * and removes the fields that this version does not have.
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
