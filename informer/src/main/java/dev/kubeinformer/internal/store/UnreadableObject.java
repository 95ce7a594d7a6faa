package dev.kubeinformer.internal.store;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.types.ObjectKey;

/**
 * Object that exists on the server but could not be decoded or transformed.
 *
 * @param key the key
 * @param uid the UID, empty if unknown
 * @param metadata the readable metadata: identity, owners, finalizers, and whether the
 * object is being deleted
 * @param problem the reason why it could not be read: our own text, never a value of the
 * object
 */
public record UnreadableObject(ObjectKey key, String uid, Metadata<?> metadata, String problem) {

	/**
	 * Returns the version that could not be read.
	 * @return the resourceVersion, empty if unknown
	 */
	public String resourceVersion() {
		String version = this.metadata.getMetadata().getResourceVersion();
		return (version != null) ? version : "";
	}

	UnreadableObject withoutVersion() {
		V1ObjectMeta known = this.metadata.getMetadata();
		V1ObjectMeta without = new V1ObjectMeta().name(known.getName())
			.namespace(known.getNamespace())
			.uid(known.getUid())
			.ownerReferences(known.getOwnerReferences())
			.finalizers(known.getFinalizers())
			.deletionTimestamp(known.getDeletionTimestamp())
			.labels(known.getLabels())
			.annotations(known.getAnnotations());
		return new UnreadableObject(this.key, this.uid,
				new Metadata<>(this.metadata.getApiVersion(), this.metadata.getKind(), without), this.problem);
	}

	/**
	 * Returns whether the object is being deleted.
	 * @return {@code true} if it has a deletionTimestamp
	 */
	public boolean isBeingDeleted() {
		return this.metadata.getMetadata().getDeletionTimestamp() != null;
	}

	/**
	 * Returns the metadata as a stored object.
	 * @return the metadata
	 */
	public StoredObject<Metadata<?>> stored() {
		return new StoredObject<>(this.key.namespace(), this.key.name(), this.uid, resourceVersion(), this.metadata);
	}

	/**
	 * Returns whether a cached object of the same key may be an earlier state of this
	 * one.
	 * @param cached the object
	 * @return {@code false} if both UIDs are known and differ, so the object was created
	 * again
	 */
	public boolean isSameObjectAs(StoredObject<?> cached) {
		return this.uid.isEmpty() || cached.uid().isEmpty() || this.uid.equals(cached.uid());
	}

}
