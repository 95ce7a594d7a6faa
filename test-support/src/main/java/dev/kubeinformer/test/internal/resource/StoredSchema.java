package dev.kubeinformer.test.internal.resource;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.schema.CustomSchema;

/**
 * Schemas for reading stored custom resources in one of the served versions.
 *
 * @param served the schema of the served version
 * @param stored the schema of the version in which objects are stored
 * @param since the last revision at which an object may have been written with another
 * schema
 */
public record StoredSchema(CustomSchema served, CustomSchema stored, long since) {

	/**
	 * Returns whether a stored object must be converted before it is served.
	 * @param revision the revision of the object
	 * @return {@code true} if the object may have been written with another schema
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
