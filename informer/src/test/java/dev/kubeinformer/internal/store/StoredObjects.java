package dev.kubeinformer.internal.store;

import dev.kubeinformer.types.ObjectKey;

/**
 * Objects of tests, whose content is their name and version.
 */
final class StoredObjects {

	private StoredObjects() {
	}

	static StoredObject<String> object(String name, String uid, String version) {
		return object("ns", name, uid, version);
	}

	static StoredObject<String> object(String namespace, String name, String uid, String version) {
		return new StoredObject<>(namespace, name, uid, version, name + "@" + version);
	}

	static DeletedObject deleted(String name, String uid, String version) {
		return new DeletedObject(new ObjectKey("ns", name), uid, version);
	}

}
