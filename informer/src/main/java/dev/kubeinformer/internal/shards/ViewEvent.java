package dev.kubeinformer.internal.shards;

/**
 * Event of the watch of a group's Leases.
 */
public sealed interface ViewEvent {

	/**
	 * A Lease was created or changed.
	 *
	 * @param lease the Lease
	 */
	record Changed(MemberLease lease) implements ViewEvent {

	}

	/**
	 * A Lease was deleted.
	 *
	 * @param lease the last state of the Lease
	 */
	record Deleted(MemberLease lease) implements ViewEvent {

	}

	/**
	 * Events may have been missed. No events follow until the next list has got a
	 * response.
	 */
	record Interrupted() implements ViewEvent {

	}

}
