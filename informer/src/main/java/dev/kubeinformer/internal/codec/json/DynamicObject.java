package dev.kubeinformer.internal.codec.json;

import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Reader of objects without a class of their own. They are of exactly the official class:
 * Gson writes those of a subclass in another way.
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
