package dev.kubeinformer.spring.leader;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.leader.Leadership;

/**
 * Event that this replica leads from now on. It is published after the term began, in a
 * thread that delays no renewal; what is decided by it may be late, so ask the
 * {@link #getLeadership() leadership} right before what only the leader may do.
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
	 * Returns who decides whether this replica leads.
	 * @return the leadership
	 */
	public Leadership getLeadership() {
		return this.leadership;
	}

	/**
	 * Returns the term that began, as it was then.
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
