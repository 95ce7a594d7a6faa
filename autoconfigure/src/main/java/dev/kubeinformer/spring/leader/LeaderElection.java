package dev.kubeinformer.spring.leader;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.Leadership;

/**
 * Leader election of the application, which may be off. Internal to the starter.
 */
public final class LeaderElection {

	private final Leadership leadership;

	private final boolean enabled;

	/**
	 * Creates the election.
	 * @param leadership the leadership of this replica
	 * @param enabled {@code true} if leader election is enabled in the configuration
	 */
	public LeaderElection(Leadership leadership, boolean enabled) {
		this.leadership = leadership;
		this.enabled = enabled;
	}

	/**
	 * Returns the leadership of this replica.
	 * @return the leadership
	 */
	public Leadership leadership() {
		return this.leadership;
	}

	/**
	 * Returns whether a replica may be a standby, because leader election is enabled or
	 * the application has its own leadership bean.
	 * @return {@code true} if the leadership must be checked
	 */
	public boolean isElecting() {
		return this.enabled || this.leadership.getClass() != LeaderElector.always().getClass();
	}

	/**
	 * Returns whether leader election is enabled in the configuration, so that
	 * reconcilers run only on the leader by default.
	 * @return {@code true} if leader election is enabled
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * Returns the leadership for a leader-only handler or reconciler.
	 * @param where the description of the handler or reconciler, for messages
	 * @return the leadership
	 * @throws LeaderElectionOffException if no leader is elected
	 */
	public Leadership require(String where) {
		if (!isElecting()) {
			throw new LeaderElectionOffException(where);
		}
		return this.leadership;
	}

}
