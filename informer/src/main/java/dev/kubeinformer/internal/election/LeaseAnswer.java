package dev.kubeinformer.internal.election;

/**
 * Response to a request for the Lease.
 */
public sealed interface LeaseAnswer {

	/**
	 * The stored Lease after the request.
	 *
	 * @param record the record
	 * @param resourceVersion the version of the Lease with this record
	 */
	record Found(LeaseRecord record, String resourceVersion) implements LeaseAnswer {

	}

	/**
	 * The Lease does not exist.
	 */
	record Absent() implements LeaseAnswer {

	}

	/**
	 * Another client has changed or created the Lease first.
	 */
	record Conflict() implements LeaseAnswer {

	}

	/**
	 * The API server has rejected the request, mostly because a permission is missing.
	 * The request has no effect.
	 */
	record Refused() implements LeaseAnswer {

	}

	/**
	 * There is no response, or none that can be relied on. The request may have taken
	 * effect, or may still do so.
	 */
	record Unknown() implements LeaseAnswer {

	}

}
