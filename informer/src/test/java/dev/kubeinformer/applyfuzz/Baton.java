package dev.kubeinformer.applyfuzz;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;

/**
 * Leadership that the fuzz gives from one process to the next.
 */
final class Baton implements Leadership {

	private static final AtomicLong TERMS = new AtomicLong();

	private final List<LeaderWork> works = new CopyOnWriteArrayList<>();

	private volatile @Nullable Term term;

	void grant() {
		Term next = new Term(TERMS.incrementAndGet(), Instant.now(), Instant.now().plusSeconds(36000));
		this.term = next;
		this.works.forEach((work) -> work.granted(next));
	}

	void lose() throws InterruptedException {
		for (LeaderWork work : this.works) {
			work.drain();
		}
		this.term = null;
		this.works.forEach(LeaderWork::lost);
	}

	@Override
	public boolean isLeader() {
		return this.term != null;
	}

	@Override
	public @Nullable Term term() {
		return this.term;
	}

	@Override
	public void yield() {
		throw new UnsupportedOperationException("The fuzz passes it on");
	}

	@Override
	public @Nullable String holder() {
		return isLeader() ? "this" : "other";
	}

	@Override
	public Registration register(LeaderWork work) {
		this.works.add(work);
		Term present = this.term;
		if (present != null) {
			work.granted(present);
		}
		return () -> this.works.remove(work);
	}

	@Override
	public Registration runWhileLeader(String name, LeaderTask task) {
		throw new UnsupportedOperationException("The fuzz has no tasks");
	}

	@Override
	public void addListener(LeadershipListener listener) {
		throw new UnsupportedOperationException("The fuzz does not listen");
	}

	@Override
	public void removeListener(LeadershipListener listener) {
		throw new UnsupportedOperationException("The fuzz does not listen");
	}

}
