package dev.kubeinformer.spring.leader;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;

/**
 * A leadership whose terms begin and end as a test says, with the calls of work that an
 * elector makes.
 */
public final class FakeLeadership implements Leadership {

	private final List<LeaderWork> works = new CopyOnWriteArrayList<>();

	private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable Term term;

	/** Whether the clocks say that the term is over, before anybody is called. */
	private volatile boolean expired;

	private long number;

	/**
	 * Begins a term.
	 */
	public void grant() {
		Term granted = new Term(++this.number, Instant.now(), Instant.now().plusSeconds(10));
		this.expired = false;
		this.term = granted;
		this.works.forEach((work) -> work.granted(granted));
		this.listeners.forEach((listener) -> listener.granted(granted));
	}

	/**
	 * Ends the term by the clocks alone.
	 */
	public void expire() {
		this.expired = true;
	}

	/**
	 * Loses the term.
	 */
	public void lose() {
		Term lost = this.term;
		this.term = null;
		this.works.forEach(LeaderWork::lost);
		this.listeners.forEach((listener) -> listener.revoked(lost, RevocationReason.EXPIRED));
	}

	/**
	 * Ends the term in good order, as far as work does.
	 * @return whether all work has ended
	 * @throws Exception if work failed to end
	 */
	public boolean release() throws Exception {
		boolean drained = true;
		for (LeaderWork work : this.works) {
			drained &= drain(work);
		}
		if (drained) {
			Term released = this.term;
			this.term = null;
			this.listeners.forEach((listener) -> listener.revoked(released, RevocationReason.YIELDED));
		}
		return drained;
	}

	private static boolean drain(LeaderWork work) throws Exception {
		FutureTask<Boolean> drain = new FutureTask<>(work::drain);
		new Thread(drain, "drain").start();
		return drain.get();
	}

	/**
	 * Returns what the work waits for before this replica stands for election.
	 * @return the names
	 */
	public List<String> awaiting() {
		return this.works.stream().flatMap((work) -> work.awaiting().stream()).toList();
	}

	/**
	 * Returns how much work is registered.
	 * @return the number
	 */
	public int works() {
		return this.works.size();
	}

	@Override
	public boolean isLeader() {
		return this.term != null && !this.expired;
	}

	@Override
	public @Nullable Term term() {
		return isLeader() ? this.term : null;
	}

	@Override
	public void yield() {
		throw new UnsupportedOperationException();
	}

	@Override
	public @Nullable String holder() {
		return null;
	}

	@Override
	public Registration register(LeaderWork work) {
		this.works.add(work);
		Term current = this.term;
		if (current != null) {
			work.granted(current);
		}
		return () -> this.works.remove(work);
	}

	@Override
	public Registration runWhileLeader(String name, LeaderTask task) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void addListener(LeadershipListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeListener(LeadershipListener listener) {
		this.listeners.remove(listener);
	}

}
