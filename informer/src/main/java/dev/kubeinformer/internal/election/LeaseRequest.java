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
	 * Creates the Lease with this process as its holder.
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
	 * @param purpose the purpose of the update
	 */
	record Update(LeaseRecord record, String resourceVersion, Purpose purpose) implements LeaseRequest {

	}

	/**
	 * Purpose of an update of the Lease.
	 */
	enum Purpose {

		/** A term begins. */
		ACQUIRE,

		/** A term is renewed. */
		RENEW,

		/**
		 * A term has ended, and others should not have to wait for the duration of the
		 * Lease.
		 */
		RELEASE

	}

}
