package dev.kubeinformer.internal.store;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.types.ObjectKey;

/**
 * Objects that cannot be read.
 */
final class Unreadables {

	private Unreadables() {
	}

	static UnreadableObject of(String namespace, String name, String uid) {
		return of(namespace, name, uid, new V1ObjectMeta());
	}

	static UnreadableObject of(String namespace, String name, String uid, V1ObjectMeta metadata) {
		metadata.namespace(namespace).name(name).uid(uid);
		return new UnreadableObject(new ObjectKey(namespace, name), uid, new Metadata<>("v1", "ConfigMap", metadata),
				"it is broken");
	}

}
