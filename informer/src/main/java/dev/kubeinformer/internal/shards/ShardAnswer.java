package dev.kubeinformer.internal.shards;

import java.util.List;

/**
 * Response to a request for the Leases of a group.
 */
public sealed interface ShardAnswer {

	/**
	 * The Lease of this member, as stored after the request.
	 *
	 * @param lease the Lease
	 */
	record Stored(MemberLease lease) implements ShardAnswer {

	}

	/**
	 * All Leases of the group.
	 *
	 * @param leases the Leases
	 * @param resourceVersion the version of the list
	 */
	record Listed(List<MemberLease> leases, String resourceVersion) implements ShardAnswer {

	}

	/**
	 * The Lease was deleted.
	 */
	record Deleted() implements ShardAnswer {

	}

	/**
	 * The Lease does not exist.
	 */
	record Absent() implements ShardAnswer {

	}

	/**
	 * The Lease has changed since it was read, or already exists.
	 */
	record Conflict() implements ShardAnswer {

	}

	/**
	 * The API server has rejected the request, mostly because a permission is missing.
	 * The request has no effect.
	 */
	record Refused() implements ShardAnswer {

	}

	/**
	 * There is no reliable response. The request may have taken effect, or may still do
	 * so.
	 */
	record Unknown() implements ShardAnswer {

	}

}
