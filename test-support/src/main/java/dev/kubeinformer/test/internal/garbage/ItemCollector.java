package dev.kubeinformer.test.internal.garbage;

import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.write.DeleteOptions;
import dev.kubeinformer.test.internal.write.Deletion;
import dev.kubeinformer.test.internal.write.FieldChecks;
import dev.kubeinformer.test.internal.write.Propagation;
import dev.kubeinformer.test.internal.write.StoredObjects;
import dev.kubeinformer.test.internal.write.WriteOptions;

/**
 * Collects one object at a time (attemptToDeleteItem and attemptToOrphan of
 * kube-controller-manager's garbage collector).
 */
final class ItemCollector {

	private static final WriteOptions OPTIONS = new WriteOptions(true, "kube-controller-manager", false, "", false,
			false, false, FieldChecks.NONE);

	private static final String REFERENCES = "ownerReferences";

	private final RevisionLog log;

	private final ResourceTypes types;

	private final StoredObjects store;

	private final Deletion deletion;

	private final OwnerGraph graph;

	private final GraphUpdates updates;

	ItemCollector(RevisionLog log, ResourceTypes types, StoredObjects store, Deletion deletion, OwnerGraph graph,
			GraphUpdates updates) {
		this.log = log;
		this.types = types;
		this.store = store;
		this.deletion = deletion;
		this.graph = graph;
		this.updates = updates;
	}

	/**
	 * Processes an object.
	 * @param uid its UID
	 */
	void collect(String uid) {
		Item known = this.graph.get(uid);
		ResourceDefinition type = (known != null) ? this.types.ofResource(known.resource()) : null;
		PersistedObject stored = (known != null) ? this.log.get(known.resource(), known.key()) : null;
		if (type == null || known == null || stored == null) {
			return;
		}
		Item item = Item.of(known.resource(), stored);
		if (!item.uid().equals(uid)) {
			return;
		}
		if (item.isOrphaning()) {
			orphanDependents(type, item);
		}
		else if (item.isAwaitingDependents()) {
			awaitDependents(type, item);
		}
		else if (!item.deleting() && !item.owners().isEmpty()) {
			judge(type, item);
		}
	}

	private void orphanDependents(ResourceDefinition type, Item owner) {
		for (Item dependent : this.graph.dependents(owner.uid())) {
			ResourceDefinition dependentType = this.types.ofResource(dependent.resource());
			if (dependentType != null) {
				removeReferences(dependentType, dependent, Set.of(owner.uid()));
			}
		}
		removeFinalizer(type, owner, Propagation.ORPHAN_FINALIZER);
	}

	private void awaitDependents(ResourceDefinition type, Item owner) {
		List<Item> blocking = this.graph.dependents(owner.uid())
			.stream()
			.filter((dependent) -> dependent.isBlocking(owner.uid()))
			.toList();
		if (blocking.isEmpty()) {
			removeFinalizer(type, owner, Propagation.FOREGROUND_FINALIZER);
		}
	}

	private void judge(ResourceDefinition type, Item item) {
		Set<String> useless = new HashSet<>();
		boolean solid = false;
		boolean awaiting = false;
		for (Owner owner : item.owners()) {
			switch (state(type, item, owner)) {
				case SOLID -> solid = true;
				case ABSENT -> useless.add(owner.uid());
				case AWAITING -> {
					awaiting = true;
					useless.add(owner.uid());
				}
				case UNKNOWN -> {
					return;
				}
			}
		}
		if (solid) {
			if (!useless.isEmpty()) {
				removeReferences(type, item, useless);
			}
			return;
		}
		Collection<Item> dependents = this.graph.dependents(item.uid());
		if (awaiting && !dependents.isEmpty()) {
			if (dependents.stream().anyMatch(Item::isAwaitingDependents)) {
				unblock(type, item);
				return;
			}
			delete(type, item, Propagation.FOREGROUND);
			return;
		}
		delete(type, item, item.propagation());
	}

	private OwnerState state(ResourceDefinition type, Item item, Owner reference) {
		if (this.graph.isGone(reference.uid())) {
			return OwnerState.ABSENT;
		}
		ResourceDefinition ownerType = this.types.ofKind(reference.apiVersion(), reference.kind());
		if (ownerType == null) {
			this.updates.addUnresolved(item.uid());
			return OwnerState.UNKNOWN;
		}
		if (ownerType.namespaced() && !type.namespaced()) {
			// The namespace of the owner is unknown, so the object is never deleted.
			return OwnerState.UNKNOWN;
		}
		ObjectKey key = new ObjectKey((ownerType.namespaced()) ? item.key().namespace() : "", reference.name());
		PersistedObject stored = this.log.get(ownerType.resource(), key);
		if (stored == null) {
			return OwnerState.ABSENT;
		}
		Item owner = Item.of(ownerType.resource(), stored);
		if (!owner.uid().equals(reference.uid())) {
			return OwnerState.ABSENT;
		}
		return (owner.isAwaitingDependents()) ? OwnerState.AWAITING : OwnerState.SOLID;
	}

	private void delete(ResourceDefinition type, Item item, Propagation propagation) {
		this.deletion.delete(type, item.key(),
				DeleteOptions.exactly(item.uid(), Long.toString(item.revision()), propagation));
	}

	private void removeReferences(ResourceDefinition type, Item item, Set<String> owners) {
		patch(type, item, (metadata) -> {
			JsonNode references = metadata.remove(REFERENCES);
			ArrayNode kept = metadata.arrayNode();
			for (JsonNode reference : references) {
				if (!owners.contains(reference.path("uid").asString(""))) {
					kept.add(reference);
				}
			}
			if (!kept.isEmpty()) {
				metadata.set(REFERENCES, kept);
			}
		});
	}

	// Breaks a cycle of owners that wait for each other.
	private void unblock(ResourceDefinition type, Item item) {
		patch(type, item, (metadata) -> metadata.path(REFERENCES)
			.forEach((reference) -> ((ObjectNode) reference).put("blockOwnerDeletion", false)));
	}

	private void removeFinalizer(ResourceDefinition type, Item item, String finalizer) {
		patch(type, item, (metadata) -> {
			Iterator<JsonNode> finalizers = metadata.path("finalizers").iterator();
			while (finalizers.hasNext()) {
				if (finalizer.equals(finalizers.next().asString(""))) {
					finalizers.remove();
				}
			}
		});
	}

	private void patch(ResourceDefinition type, Item item, Consumer<ObjectNode> change) {
		this.store.patch(type, item.key(), (current) -> {
			ObjectNode metadata = current.withObject("metadata");
			if (!item.uid().equals(metadata.path("uid").asString(""))) {
				throw Statuses.notFound(type.resource(), item.key().name());
			}
			change.accept(metadata);
			return current;
		}, OPTIONS);
	}

	/**
	 * State of an owner.
	 */
	private enum OwnerState {

		/**
		 * The owner exists.
		 */
		SOLID,

		/**
		 * The owner does not exist.
		 */
		ABSENT,

		/**
		 * The owner waits for the deletion of its dependents.
		 */
		AWAITING,

		/**
		 * The owner cannot be looked up.
		 */
		UNKNOWN

	}

}
