package dev.kubeinformer.test.internal.lease;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.write.Namespaces;
import dev.kubeinformer.test.internal.write.StoredObjects;
import dev.kubeinformer.test.internal.write.Upsert;
import dev.kubeinformer.test.internal.write.WriteOptions;

/**
 * Holder of Leases with which clients compete: a replica that does not exist. The replica
 * claims Leases, which means that it acquires and keeps them. It has no thread and no
 * timer: it acquires or renews a claimed Lease right before a client reads or writes the
 * Lease. So clients never see an expired Lease, and their writes always have an outdated
 * version.
 */
public final class CompetingLeaseHolder {

	/**
	 * Resource of the Leases.
	 */
	public static final GroupResource LEASES = new GroupResource("coordination.k8s.io", "leases");

	private final String identity;

	private final RevisionLog log;

	private final StoredObjects store;

	private final Namespaces namespaces;

	private final ResourceDefinition type;

	private final Claims claims = new Claims();

	private final Map<ObjectKey, String> kept = new HashMap<>();

	public CompetingLeaseHolder(String identity, RevisionLog log, ResourceTypes types, StoredObjects store,
			Namespaces namespaces) {
		this.identity = identity;
		this.log = log;
		this.store = store;
		this.namespaces = namespaces;
		this.type = types.named(LEASES.group(), "v1", LEASES.plural());
	}

	/**
	 * Claims all Leases, including Leases that do not exist yet.
	 */
	public synchronized void claimAll() {
		this.claims.claimAll();
		leases().forEach(this::hold);
	}

	/**
	 * Claims a Lease, and creates it if it does not exist.
	 * @param lease the namespace and name of the Lease
	 */
	public synchronized void claim(ObjectKey lease) {
		this.claims.claim(lease);
		hold(lease);
	}

	/**
	 * Drops all claims, and releases all Leases that this holder has.
	 */
	public synchronized void dropAll() {
		this.claims.dropAll();
		leases().forEach((lease) -> release(lease, this.identity::equals));
	}

	/**
	 * Drops all claims at a reset of the server. A Lease that survives the reset is
	 * released unless its holder is the elector for which the test keeps the Lease. The
	 * reset will delete all other Leases. Until then, this holder must not acquire them.
	 * @return the Leases that survive
	 */
	public synchronized Set<ObjectKey> reset() {
		this.claims.dropAll();
		Map<ObjectKey, String> survivors = Map.copyOf(this.kept);
		this.kept.clear();
		survivors.forEach((lease, owner) -> release(lease, (holder) -> !holder.equals(owner)));
		return survivors.keySet();
	}

	/**
	 * Drops the claim on a Lease, and releases the Lease if this holder has it.
	 * @param lease the namespace and name of the Lease
	 */
	public synchronized void drop(ObjectKey lease) {
		this.claims.drop(lease);
		release(lease, this.identity::equals);
	}

	/**
	 * Acquires or renews a claimed Lease that a client is about to read or write.
	 * @param type the resource of the request
	 * @param key its namespace and name
	 */
	public void precede(ResourceDefinition type, ObjectKey key) {
		if (LEASES.equals(type.resource()) && this.claims.include(key)) {
			holdIfClaimed(key);
		}
	}

	// Checks the claim again, because it may have been dropped and the Lease released in
	// the meantime.
	private synchronized void holdIfClaimed(ObjectKey lease) {
		if (this.claims.include(lease) && this.namespaces.exists(lease.namespace())) {
			hold(lease);
		}
	}

	private void hold(ObjectKey lease) {
		new Upsert(this.log, LEASES, lease).run(() -> edit(lease, (held) -> held.hold(this.identity)),
				() -> create(lease));
	}

	private void create(ObjectKey lease) {
		ObjectNode created = Json.object();
		created.putObject("metadata").put("name", lease.name());
		new LeaseRecord(created).begin(this.identity);
		this.store.create(this.type, lease.namespace(), created);
	}

	private void release(ObjectKey lease, Predicate<String> holder) {
		try {
			edit(lease, (held) -> {
				if (!held.holder().isEmpty() && holder.test(held.holder())) {
					held.release();
				}
			});
		}
		catch (RequestFailure ex) {
			// A Lease that does not exist needs no release.
			if (ex.code() != 404) {
				throw ex;
			}
		}
	}

	private void edit(ObjectKey lease, Consumer<LeaseRecord> change) {
		this.store.patch(this.type, lease, (current) -> {
			change.accept(new LeaseRecord(current));
			return current;
		}, WriteOptions.DIRECT);
	}

	/**
	 * Returns the holder of a Lease.
	 * @param lease the namespace and name of the Lease
	 * @return the identity of the holder; {@code null} if there is none
	 */
	public @Nullable String holder(ObjectKey lease) {
		PersistedObject stored = this.log.get(LEASES, lease);
		String holder = (stored != null) ? new LeaseRecord(stored.tree()).holder() : "";
		return (holder.isEmpty()) ? null : holder;
	}

	// The Leases that exist.
	public List<ObjectKey> leases() {
		return this.log.list(LEASES, "").objects().stream().map(PersistedObject::key).toList();
	}

	// Lets a Lease survive the next reset of the server, for an elector.
	public synchronized void keep(ObjectKey lease, String elector) {
		this.kept.put(lease, elector);
	}

}
