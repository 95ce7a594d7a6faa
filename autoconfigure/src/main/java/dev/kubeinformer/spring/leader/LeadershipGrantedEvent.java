package dev.kubeinformer.spring.leader;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.leader.Leadership;

/**
 * Application event that is published when this replica has become the leader. It is
 * published after the start of the term, on a thread that does not delay renewals. The
 * event may be late, so check the {@link #getLeadership() leadership} right before an
 * action that only the leader may perform.
 */
public class LeadershipGrantedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient Leadership leadership;

	private final transient Leadership.Term term;

	LeadershipGrantedEvent(Leadership leadership, Leadership.Term term) {
		super(leadership);
		this.leadership = leadership;
		this.term = term;
	}

	/**
	 * Returns the leadership of this replica.
	 * @return the leadership
	 */
	public Leadership getLeadership() {
		return this.leadership;
	}

	/**
	 * Returns the term as it was at its start.
	 * @return the term
	 */
	public Leadership.Term getTerm() {
		return this.term;
	}

	@Override
	public String toString() {
		return "LeadershipGrantedEvent[term %d]".formatted(this.term.number());
	}

}
