package dev.kubeinformer.test.internal.lease;

import java.util.HashSet;
import java.util.Set;

import dev.kubeinformer.test.internal.resource.ObjectKey;

/**
 * Leases that the {@link CompetingLeaseHolder} acquires and keeps: some Leases, all
 * Leases, or all with exceptions. If several calls affect a Lease, the last one applies.
 */
final class Claims {

	private final Set<ObjectKey> exceptions = new HashSet<>();

	private boolean all;

	synchronized void claimAll() {
		this.all = true;
		this.exceptions.clear();
	}

	synchronized void claim(ObjectKey lease) {
		except(lease, !this.all);
	}

	synchronized void dropAll() {
		this.all = false;
		this.exceptions.clear();
	}

	synchronized void drop(ObjectKey lease) {
		except(lease, this.all);
	}

	private void except(ObjectKey lease, boolean exception) {
		if (exception) {
			this.exceptions.add(lease);
		}
		else {
			this.exceptions.remove(lease);
		}
	}

	synchronized boolean include(ObjectKey lease) {
		return this.all != this.exceptions.contains(lease);
	}

}
