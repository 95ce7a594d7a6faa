package dev.kubeinformer.internal.shards;

/**
 * Request for the Leases of a group.
 */
public sealed interface ShardRequest {

	/**
	 * Reads this member's Lease from the storage, not from a cache of the API server.
	 */
	record Get() implements ShardRequest {

	}

	/**
	 * Creates this member's Lease.
	 *
	 * @param record the record
	 */
	record Create(MemberRecord record) implements ShardRequest {

	}

	/**
	 * Updates this member's Lease, if it has not changed since it was read.
	 *
	 * @param record the record
	 * @param resourceVersion the version that was read
	 */
	record Update(MemberRecord record, String resourceVersion) implements ShardRequest {

	}

	/**
	 * Lists all Leases of the group from the storage, not from a cache of the API server.
	 */
	record List() implements ShardRequest {

	}

	/**
	 * Deletes the Lease of this member, or of one that has been dead for a long time, if
	 * the Lease has not changed since it was read.
	 *
	 * @param name the name of the Lease
	 * @param resourceVersion the version that was read
	 */
	record Delete(String name, String resourceVersion) implements ShardRequest {

	}

}
