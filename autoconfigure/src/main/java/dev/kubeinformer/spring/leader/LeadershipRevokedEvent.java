package dev.kubeinformer.spring.leader;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Application event that is published when this replica is no longer the leader, after
 * the end of the term.
 */
public class LeadershipRevokedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient Leadership leadership;

	private final transient Leadership.Term term;

	private final RevocationReason reason;

	LeadershipRevokedEvent(Leadership leadership, Leadership.Term term, RevocationReason reason) {
		super(leadership);
		this.leadership = leadership;
		this.term = term;
		this.reason = reason;
	}

	/**
	 * Returns the leadership of this replica.
	 * @return the leadership
	 */
	public Leadership getLeadership() {
		return this.leadership;
	}

	/**
	 * Returns the term as it was at its end.
	 * @return the term
	 */
	public Leadership.Term getTerm() {
		return this.term;
	}

	/**
	 * Returns the reason for the end of the term.
	 * @return the reason
	 */
	public RevocationReason getReason() {
		return this.reason;
	}

	@Override
	public String toString() {
		return "LeadershipRevokedEvent[term %d, %s]".formatted(this.term.number(), this.reason);
	}

}
