package dev.kubeinformer.test.internal.garbage;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.storage.Change;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Keeps the {@link OwnerGraph} up to date with the storage, and finds the objects that a
 * change affects. It is used by one thread at a time.
 */
final class GraphUpdates {

	private static final Set<GroupResource> IGNORED = Set.of(new GroupResource("", "events"),
			new GroupResource("events.k8s.io", "events"));

	private final RevisionLog log;

	private final OwnerGraph graph;

	private final Map<GroupResource, Change> positions = new HashMap<>();

	private final Set<String> concerned = new LinkedHashSet<>();

	// Objects with an owner of an unserved kind, until another kind is served.
	private final Set<String> unresolved = new LinkedHashSet<>();

	GraphUpdates(RevisionLog log, OwnerGraph graph) {
		this.log = log;
		this.graph = graph;
	}

	/**
	 * Reads the changes of a resource.
	 * @param resource the resource
	 */
	void follow(GroupResource resource) {
		if (IGNORED.contains(resource)) {
			return;
		}
		Change position = this.positions.get(resource);
		if (position == null) {
			RevisionLog.WatchStart start = this.log.watchNow(resource, "");
			start.initial().forEach((object) -> put(Item.of(resource, object)));
			position = start.position();
		}
		for (Change change = position.next(); change != null; change = change.next()) {
			position = change;
			Item item = Item.of(resource, change.object());
			if (change.type() == Change.Type.DELETED) {
				remove(item);
			}
			else {
				put(item);
			}
		}
		this.positions.put(resource, position);
		if (ResourceTypes.DEFINITIONS.equals(resource)) {
			this.concerned.addAll(this.unresolved);
			this.unresolved.clear();
		}
	}

	private void put(Item item) {
		Item before = this.graph.put(item);
		if (item.isOfInterest()) {
			this.concerned.add(item.uid());
		}
		boolean awaited = before != null && before.isAwaitingDependents();
		if (item.isAwaitingDependents() && !awaited) {
			concern(item.uid());
		}
		wakeOwners(before);
		wakeOwners(item);
	}

	private void remove(Item item) {
		wakeOwners(this.graph.remove(item.uid()));
		this.unresolved.remove(item.uid());
		this.graph.markGone(item.uid());
		concern(item.uid());
	}

	private void concern(String owner) {
		this.graph.dependents(owner).forEach((dependent) -> this.concerned.add(dependent.uid()));
	}

	// Marks the owners that wait for this dependent.
	private void wakeOwners(@Nullable Item dependent) {
		if (dependent == null) {
			return;
		}
		for (Owner owner : dependent.owners()) {
			Item known = this.graph.get(owner.uid());
			if (known != null && known.deleting()) {
				this.concerned.add(known.uid());
			}
		}
	}

	// Returns the UID of the next object to process, or null if there is none.
	@Nullable String next() {
		for (String uid : this.concerned) {
			this.concerned.remove(uid);
			return uid;
		}
		return null;
	}

	void add(String uid) {
		this.concerned.add(uid);
	}

	// Processes an object again after definitions have changed.
	void addUnresolved(String uid) {
		this.unresolved.add(uid);
	}

}
