package dev.kubeinformer.internal.codec.json;

import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Reads objects without a class of their own. They have exactly the official class,
 * because Gson writes those of a subclass differently.
 */
final class DynamicObject extends JsonValue {

	private final boolean keepManagedFields;

	DynamicObject(boolean keepManagedFields) {
		this.keepManagedFields = keepManagedFields;
	}

	@Override
	Object read(JsonReader reader) {
		return new DynamicKubernetesObject(reader.readTree(this.keepManagedFields));
	}

}
