package dev.kubeinformer.internal.codec.json;

import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Reads objects of resources for which there is no model class. They are instances of the
 * official client's {@code DynamicKubernetesObject} and not of a subclass, because Gson
 * writes a subclass differently.
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
