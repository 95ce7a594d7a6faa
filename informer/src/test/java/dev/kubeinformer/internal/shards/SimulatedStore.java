package dev.kubeinformer.internal.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * API server of the simulator: the Leases of a group with optimistic locking, and the
 * events of all revisions.
 */
final class SimulatedStore {

	private final Map<String, MemberLease> leases = new TreeMap<>();

	/** The event of revision n at index n - 1. */
	private final List<ViewEvent> events = new ArrayList<>();

	ShardAnswer apply(String member, ShardRequest request) {
		if (request instanceof ShardRequest.List) {
			return new ShardAnswer.Listed(List.copyOf(this.leases.values()), Integer.toString(revision()));
		}
		if (request instanceof ShardRequest.Delete delete) {
			return delete(delete);
		}
		MemberLease stored = this.leases.get(member);
		if (request instanceof ShardRequest.Create create) {
			return (stored != null) ? new ShardAnswer.Conflict() : store(member, create.record());
		}
		if (stored == null) {
			return new ShardAnswer.Absent();
		}
		if (request instanceof ShardRequest.Update update) {
			return update.resourceVersion().equals(stored.resourceVersion()) ? store(member, update.record())
					: new ShardAnswer.Conflict();
		}
		return new ShardAnswer.Stored(stored);
	}

	private ShardAnswer delete(ShardRequest.Delete delete) {
		MemberLease stored = this.leases.get(delete.name());
		if (stored == null) {
			return new ShardAnswer.Absent();
		}
		if (!stored.resourceVersion().equals(delete.resourceVersion())) {
			return new ShardAnswer.Conflict();
		}
		remove(delete.name());
		return new ShardAnswer.Deleted();
	}

	private ShardAnswer store(String member, MemberRecord record) {
		MemberLease lease = new MemberLease(member, Integer.toString(revision() + 1), record);
		this.leases.put(member, lease);
		this.events.add(new ViewEvent.Changed(lease));
		return new ShardAnswer.Stored(lease);
	}

	void remove(String name) {
		MemberLease removed = this.leases.remove(name);
		if (removed != null) {
			String version = Integer.toString(revision() + 1);
			this.events.add(new ViewEvent.Deleted(new MemberLease(name, version, removed.record())));
		}
	}

	int revision() {
		return this.events.size();
	}

	ViewEvent event(int revision) {
		return this.events.get(revision - 1);
	}

	@Nullable MemberLease lease(String name) {
		return this.leases.get(name);
	}

	int size() {
		return this.leases.size();
	}

}
