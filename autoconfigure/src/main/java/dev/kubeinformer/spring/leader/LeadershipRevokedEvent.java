package dev.kubeinformer.spring.leader;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Event that this replica does not lead any more. It is published after the term was
 * over.
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
	 * Returns who decides whether this replica leads.
	 * @return the leadership
	 */
	public Leadership getLeadership() {
		return this.leadership;
	}

	/**
	 * Returns the term that is over, as it was last.
	 * @return the term
	 */
	public Leadership.Term getTerm() {
		return this.term;
	}

	/**
	 * Returns why the term is over.
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
