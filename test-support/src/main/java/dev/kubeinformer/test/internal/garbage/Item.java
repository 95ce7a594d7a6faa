package dev.kubeinformer.test.internal.garbage;

import java.util.List;

import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.write.Propagation;

/**
 * Part of an object's state that garbage collection needs.
 *
 * @param resource the resource of the object
 * @param key its namespace and name
 * @param uid its UID
 * @param revision the revision of the state
 * @param owners its owners
 * @param deleting whether the object is being deleted
 * @param foreground whether the object has the finalizer {@code foregroundDeletion},
 * which waits until its dependents are deleted
 * @param orphan whether the object has the finalizer {@code orphan}, which waits until
 * its dependents no longer refer to it
 */
record Item(GroupResource resource, ObjectKey key, String uid, long revision, List<Owner> owners, boolean deleting,
		boolean foreground, boolean orphan) {

	static Item of(GroupResource resource, PersistedObject object) {
		JsonNode metadata = object.tree().path("metadata");
		boolean foreground = false;
		boolean orphan = false;
		for (JsonNode finalizer : metadata.path("finalizers")) {
			foreground |= Propagation.FOREGROUND_FINALIZER.equals(finalizer.asString(""));
			orphan |= Propagation.ORPHAN_FINALIZER.equals(finalizer.asString(""));
		}
		return new Item(resource, object.key(), metadata.path("uid").asString(""), object.revision(),
				Owner.of(metadata), metadata.has("deletionTimestamp"), foreground, orphan);
	}

	// Whether the object waits until its dependents are deleted.
	boolean isAwaitingDependents() {
		return this.deleting && this.foreground;
	}

	boolean isOrphaning() {
		return this.deleting && this.orphan;
	}

	// Whether garbage collection may have to act on the object or its dependents.
	boolean isOfInterest() {
		return !this.owners.isEmpty() || isAwaitingDependents() || isOrphaning();
	}

	boolean isBlocking(String owner) {
		return this.owners.stream().anyMatch((reference) -> reference.uid().equals(owner) && reference.blocking());
	}

	Propagation propagation() {
		if (this.orphan) {
			return Propagation.ORPHAN;
		}
		return (this.foreground) ? Propagation.FOREGROUND : Propagation.BACKGROUND;
	}

}
