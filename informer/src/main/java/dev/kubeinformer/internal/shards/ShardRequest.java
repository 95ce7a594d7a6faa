package dev.kubeinformer.internal.shards;

/**
 * Request for the Leases of a group.
 */
public sealed interface ShardRequest {

	/**
	 * Reads the own Lease, as it is stored and not as it is cached.
	 */
	record Get() implements ShardRequest {

	}

	/**
	 * Creates the own Lease.
	 *
	 * @param record the record
	 */
	record Create(MemberRecord record) implements ShardRequest {

	}

	/**
	 * Updates the own Lease, if it has not changed since it was read.
	 *
	 * @param record the record
	 * @param resourceVersion the version that was read
	 */
	record Update(MemberRecord record, String resourceVersion) implements ShardRequest {

	}

	/**
	 * Lists all Leases of the group, as they are stored and not as they are cached.
	 */
	record List() implements ShardRequest {

	}

	/**
	 * Deletes a Lease, if it has not changed since it was read: the own one, or that of a
	 * member that has been dead for long.
	 *
	 * @param name the name of the Lease
	 * @param resourceVersion the version that was read
	 */
	record Delete(String name, String resourceVersion) implements ShardRequest {

	}

}
