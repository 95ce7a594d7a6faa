package dev.kubeinformer;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;

/**
 * Leadership that does what a test says, in the thread of the test.
 */
final class ScriptedLeadership implements Leadership {

	final List<LeaderWork> works = new CopyOnWriteArrayList<>();

	private volatile @Nullable Term term;

	private volatile boolean expired;

	private volatile Runnable asked = () -> {
	};

	private long numbers;

	@Override
	public boolean isLeader() {
		return term() != null;
	}

	@Override
	public @Nullable Term term() {
		return this.expired ? null : this.term;
	}

	@Override
	public boolean holds(Term of) {
		this.asked.run();
		return Leadership.super.holds(of);
	}

	/** Sets the action for questions whether a term continues. */
	void whenAsked(Runnable action) {
		this.asked = action;
	}

	Term grant() {
		return grant(Instant.now().plusSeconds(3600));
	}

	Term grant(Instant validUntil) {
		Term next = new Term(++this.numbers, Instant.now(), validUntil);
		this.expired = false;
		this.term = next;
		this.works.forEach((work) -> work.granted(next));
		return next;
	}

	/**
	 * Has the clocks say that the term is over, and nobody else.
	 */
	void expire() {
		this.expired = true;
	}

	void lose() {
		this.term = null;
		this.works.forEach(LeaderWork::lost);
	}

	boolean drain() throws InterruptedException {
		boolean drained = true;
		for (LeaderWork work : this.works) {
			drained &= work.drain();
		}
		return drained;
	}

	void release() {
		this.term = null;
	}

	Collection<String> awaiting() {
		return this.works.stream().flatMap((work) -> work.awaiting().stream()).toList();
	}

	@Override
	public void yield() {
		throw new UnsupportedOperationException("The test drains and releases");
	}

	@Override
	public String holder() {
		return isLeader() ? "this-pod" : "other-pod";
	}

	@Override
	public Registration register(LeaderWork work) {
		this.works.add(work);
		Term present = term();
		if (present != null) {
			work.granted(Objects.requireNonNull(present));
		}
		return () -> this.works.remove(work);
	}

	@Override
	public Registration runWhileLeader(String name, LeaderTask task) {
		throw new UnsupportedOperationException("No test has tasks");
	}

	@Override
	public void addListener(LeadershipListener listener) {
		throw new UnsupportedOperationException("No test listens");
	}

	@Override
	public void removeListener(LeadershipListener listener) {
		throw new UnsupportedOperationException("No test listens");
	}

}
