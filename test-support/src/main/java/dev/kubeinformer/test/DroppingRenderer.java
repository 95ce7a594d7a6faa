package dev.kubeinformer.test;

import tools.jackson.databind.node.ObjectNode;

/**
 * Objects without {@code metadata.managedFields} (KEP-5958).
 */
final class DroppingRenderer extends ObjectRenderer {

	DroppingRenderer(Corruptions corruptions) {
		super(corruptions);
	}

	@Override
	byte[] item(ResourceDefinition type, StoredObject object) {
		return (type.isCustom()) ? object(type, object) : corrupt(type, object, drop(object));
	}

	@Override
	byte[] object(ResourceDefinition type, StoredObject object) {
		return corrupt(type, object, withType(type, drop(object)));
	}

	private static byte[] drop(StoredObject object) {
		ObjectNode tree = object.tree();
		tree.withObject("metadata").remove("managedFields");
		return Json.write(tree);
	}

}
