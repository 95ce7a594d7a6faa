package dev.kubeinformer.spring.leader;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.Leadership;

/**
 * How the application elects a leader, if it does. Internal to the starter.
 */
public final class LeaderElection {

	private final Leadership leadership;

	private final boolean enabled;

	/**
	 * Creates the election.
	 * @param leadership who decides whether this replica leads
	 * @param enabled whether leader election is on in the configuration
	 */
	public LeaderElection(Leadership leadership, boolean enabled) {
		this.leadership = leadership;
		this.enabled = enabled;
	}

	/**
	 * Returns who decides whether this replica leads.
	 * @return the leadership
	 */
	public Leadership leadership() {
		return this.leadership;
	}

	/**
	 * Returns whether replicas may not lead: by the configuration, or because the
	 * application has a leadership of its own.
	 * @return whether there is anything to decide
	 */
	public boolean isElecting() {
		return this.enabled || this.leadership.getClass() != LeaderElector.always().getClass();
	}

	/**
	 * Returns whether leader election is on in the configuration, so that reconcilers run
	 * at the leader only unless they say otherwise.
	 * @return whether it is on
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * Returns the leadership for what is meant for the leader alone.
	 * @param where names what is
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
