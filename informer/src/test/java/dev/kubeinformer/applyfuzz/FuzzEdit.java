package dev.kubeinformer.applyfuzz;

import tools.jackson.databind.node.ObjectNode;

/**
 * Edit of an object by another client.
 *
 * @param verb the kind of request
 * @param body the patch, or the configuration without a name
 */
record FuzzEdit(Verb verb, ObjectNode body) {

	enum Verb {

		/** Sends a merge patch. */
		MERGE,

		/** Reads it, changes it by the patch and replaces it. */
		UPDATE,

		/** Applies a configuration by force. */
		APPLY,

		/** Deletes it. */
		DELETE,

		/** Reads it, deletes it and creates it again with the patch. */
		RECREATE

	}

	@Override
	public String toString() {
		return "%s %s".formatted(this.verb, this.body);
	}

}
