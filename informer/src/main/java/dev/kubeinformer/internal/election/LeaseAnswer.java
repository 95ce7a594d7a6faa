package dev.kubeinformer.internal.election;

/**
 * Answer to a request for the Lease.
 */
public sealed interface LeaseAnswer {

	/**
	 * The Lease as it is stored, after the request.
	 *
	 * @param record the record
	 * @param resourceVersion the version of the Lease that the record was read from
	 */
	record Found(LeaseRecord record, String resourceVersion) implements LeaseAnswer {

	}

	/**
	 * There is no such Lease.
	 */
	record Absent() implements LeaseAnswer {

	}

	/**
	 * Somebody else was faster: the Lease has changed, or was created.
	 */
	record Conflict() implements LeaseAnswer {

	}

	/**
	 * The API server has refused the request, for want of rights above all: it has no
	 * effect.
	 */
	record Refused() implements LeaseAnswer {

	}

	/**
	 * There was no answer that can be relied on. The request may have had its effect, or
	 * may have it later.
	 */
	record Unknown() implements LeaseAnswer {

	}

}
