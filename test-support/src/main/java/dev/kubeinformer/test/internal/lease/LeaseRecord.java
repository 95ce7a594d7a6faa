package dev.kubeinformer.test.internal.lease;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.write.MicroTimes;

/**
 * Reads and writes the {@code spec} of a Lease: its holder and times, as Kubernetes'
 * electors write them.
 */
final class LeaseRecord {

	private static final String HOLDER = "holderIdentity";

	private static final String DURATION = "leaseDurationSeconds";

	private static final String TRANSITIONS = "leaseTransitions";

	private static final String ACQUIRED = "acquireTime";

	private static final String RENEWED = "renewTime";

	private static final int DEFAULT_DURATION = 15;

	private final ObjectNode spec;

	LeaseRecord(ObjectNode lease) {
		this.spec = lease.withObjectProperty("spec");
	}

	// Holder of the Lease; empty if there is none.
	String holder() {
		return this.spec.path(HOLDER).asString("");
	}

	void begin(String holder) {
		take(holder, 0);
	}

	// Acquires the Lease, or renews it if it is already held.
	void hold(String holder) {
		if (holder().equals(holder)) {
			this.spec.put(RENEWED, MicroTimes.now());
		}
		else {
			take(holder, this.spec.path(TRANSITIONS).asInt(0) + 1);
		}
	}

	private void take(String holder, int transitions) {
		String now = MicroTimes.now();
		// A released Lease has a duration of one second, so that no candidate has to
		// wait.
		int duration = (holder().isEmpty()) ? DEFAULT_DURATION : this.spec.path(DURATION).asInt(DEFAULT_DURATION);
		this.spec.put(HOLDER, holder)
			.put(DURATION, duration)
			.put(ACQUIRED, now)
			.put(RENEWED, now)
			.put(TRANSITIONS, transitions);
	}

	// Same as the release of client-go (leaderelection.go).
	void release() {
		String now = MicroTimes.now();
		this.spec.put(DURATION, 1).put(ACQUIRED, now).put(RENEWED, now).remove(HOLDER);
	}

}
