package dev.kubeinformer.test.internal.render;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Serves objects without {@code metadata.managedFields} (KEP-5958).
 */
final class DroppingRenderer extends ObjectRenderer {

	DroppingRenderer(Corruptions corruptions) {
		super(corruptions);
	}

	@Override
	public byte[] item(ResourceDefinition type, PersistedObject object) {
		return (type.isCustom()) ? object(type, object) : corrupt(type, object, drop(type, object));
	}

	@Override
	public byte[] object(ResourceDefinition type, PersistedObject object) {
		return corrupt(type, object, withType(type, drop(type, object)));
	}

	private static byte[] drop(ResourceDefinition type, PersistedObject object) {
		ObjectNode tree = object.tree(type);
		tree.withObject("metadata").remove("managedFields");
		return Json.write(tree);
	}

}
