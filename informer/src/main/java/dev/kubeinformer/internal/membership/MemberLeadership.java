package dev.kubeinformer.internal.membership;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.elector.ElectorThreads;
import dev.kubeinformer.internal.elector.LeaderTaskRunner;
import dev.kubeinformer.internal.elector.LeaseTerm;
import dev.kubeinformer.internal.elector.SerialLeaderWork;
import dev.kubeinformer.internal.elector.TermLifecycle;
import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.shard.Shards;

/**
 * Leadership of each member of a group: a member leads while its own Lease is valid.
 * Thread-safe.
 */
public final class MemberLeadership implements Leadership {

	private static final Logger logger = LoggerFactory.getLogger(Shards.class);

	private final String identity;

	private final TermLifecycle terms;

	private final ElectorThreads threads;

	/**
	 * Creates a leadership.
	 * @param identity the identity of the member
	 * @param terms the terms
	 * @param threads the threads
	 */
	public MemberLeadership(String identity, TermLifecycle terms, ElectorThreads threads) {
		this.identity = identity;
		this.terms = terms;
		this.threads = threads;
	}

	@Override
	public boolean isLeader() {
		return this.terms.term() != null;
	}

	@Override
	public @Nullable Term term() {
		LeaseTerm term = this.terms.term();
		return (term != null) ? term.view() : null;
	}

	@Override
	public boolean holds(Term term) {
		LeaseTerm current = this.terms.term();
		return current != null && current.number() == term.number();
	}

	@Override
	public void yield() {
		logger.debug("A member hands its slots over when it is stopped");
	}

	@Override
	public @Nullable String holder() {
		return isLeader() ? this.identity : null;
	}

	@Override
	public Registration register(LeaderWork work) {
		SerialLeaderWork lane = this.terms.add(work);
		return () -> this.terms.remove(lane);
	}

	@Override
	public Registration runWhileLeader(String name, LeaderTask task) {
		LeaderTaskRunner work = new LeaderTaskRunner(name, task, this.threads);
		Registration registration = register(work);
		return () -> {
			registration.close();
			work.close();
		};
	}

	@Override
	public void addListener(LeadershipListener listener) {
		this.terms.listeners().add(listener);
	}

	@Override
	public void removeListener(LeadershipListener listener) {
		this.terms.listeners().remove(listener);
	}

	@Override
	public String toString() {
		return "membership of '%s'".formatted(this.identity);
	}

}
