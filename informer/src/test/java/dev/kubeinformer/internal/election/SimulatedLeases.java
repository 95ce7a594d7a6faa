package dev.kubeinformer.internal.election;

import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * API server of the simulator, with one Lease and optimistic locking.
 */
final class SimulatedLeases {

	private long revision;

	/** The revision at which the Lease was created. */
	private long created;

	private LeaseAnswer.@Nullable Found lease;

	LeaseAnswer.@Nullable Found lease() {
		return this.lease;
	}

	String holder() {
		return (this.lease != null) ? this.lease.record().holder() : "";
	}

	/**
	 * Returns whether a version belongs to the current Lease and not to an earlier one.
	 * @param resourceVersion the version
	 * @return {@code true} for the current Lease
	 */
	boolean isOfThis(long resourceVersion) {
		return this.lease != null && resourceVersion >= this.created;
	}

	LeaseAnswer apply(LeaseRequest request) {
		LeaseAnswer.Found stored = this.lease;
		if (request instanceof LeaseRequest.Create create) {
			if (stored != null) {
				return new LeaseAnswer.Conflict();
			}
			this.created = this.revision + 1;
			return store(create.record());
		}
		if (stored == null) {
			return new LeaseAnswer.Absent();
		}
		if (request instanceof LeaseRequest.Update update) {
			return update.resourceVersion().equals(stored.resourceVersion()) ? store(update.record())
					: new LeaseAnswer.Conflict();
		}
		return stored;
	}

	private LeaseAnswer store(LeaseRecord record) {
		LeaseAnswer.Found stored = new LeaseAnswer.Found(record, Long.toString(++this.revision));
		this.lease = stored;
		return stored;
	}

	void edit(UnaryOperator<LeaseRecord> change) {
		if (this.lease != null) {
			store(change.apply(this.lease.record()));
		}
	}

	void delete() {
		this.lease = null;
	}

}
