package dev.kubeinformer.internal.election;

/**
 * Request for the Lease.
 */
public sealed interface LeaseRequest {

	/**
	 * Reads the Lease.
	 */
	record Get() implements LeaseRequest {

	}

	/**
	 * Creates the Lease, and thereby acquires it.
	 *
	 * @param record the record
	 */
	record Create(LeaseRecord record) implements LeaseRequest {

	}

	/**
	 * Updates the Lease, if it has not changed since it was read.
	 *
	 * @param record the record
	 * @param resourceVersion the version that was read
	 * @param purpose what for
	 */
	record Update(LeaseRecord record, String resourceVersion, Purpose purpose) implements LeaseRequest {

	}

	/**
	 * What the Lease is updated for.
	 */
	enum Purpose {

		/** A term begins. */
		ACQUIRE,

		/** A term goes on. */
		RENEW,

		/** A term has ended, and others need not wait. */
		RELEASE

	}

}
