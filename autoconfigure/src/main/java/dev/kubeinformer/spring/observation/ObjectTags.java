package dev.kubeinformer.spring.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;

import dev.kubeinformer.types.ObjectKey;

/**
 * Tags of spans with the namespace and the name of an object.
 */
final class ObjectTags {

	private ObjectTags() {
	}

	/**
	 * Returns the tags of an object. There is no tag for an empty part of the key.
	 * @param key the key of the object
	 * @param namespace the tag of the namespace
	 * @param name the tag of the name
	 * @return the tags
	 */
	static KeyValues of(ObjectKey key, KeyName namespace, KeyName name) {
		KeyValues values = KeyValues.empty();
		if (!key.namespace().isEmpty()) {
			values = values.and(namespace.withValue(key.namespace()));
		}
		return key.name().isEmpty() ? values : values.and(name.withValue(key.name()));
	}

}
