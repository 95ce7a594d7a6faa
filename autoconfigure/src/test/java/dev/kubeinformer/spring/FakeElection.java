package dev.kubeinformer.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spring.leader.ElectedLeadership;

/**
 * An election whose outcome a test decides, without a Lease.
 */
public final class FakeElection implements Leadership {

	private static final Instant SINCE = Instant.parse("2030-01-01T10:00:00Z");

	private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();

	private volatile LeaderState state = LeaderState.STANDBY;

	private volatile Term term;

	private volatile Duration slack;

	private volatile String holder;

	private volatile List<String> awaiting = List.of();

	private volatile LeaderStatus.Failure failure;

	private volatile List<String> missingVerbs = List.of();

	private volatile long terms;

	private volatile int yields;

	public ElectedLeadership elected() {
		return new ElectedLeadership(this, this::status, List.of("orders"));
	}

	private LeaderStatus status() {
		return new LeaderStatus(this.state, SINCE, "pod-1_uid", "shop", "orders", this.holder, this.term, this.slack,
				this.awaiting, this.terms, 7, this.failure, this.missingVerbs);
	}

	public FakeElection state(LeaderState state) {
		this.state = state;
		return this;
	}

	public FakeElection grant() {
		this.terms++;
		this.term = new Term(40 + this.terms, SINCE, SINCE.plusSeconds(10));
		this.holder = "pod-1_uid";
		this.state = LeaderState.LEADING;
		slack(Duration.ofSeconds(10));
		notify((listener) -> listener.granted(this.term));
		return this;
	}

	public FakeElection revoke(RevocationReason reason) {
		Term over = this.term;
		this.term = null;
		this.slack = null;
		this.state = LeaderState.STANDBY;
		notify((listener) -> listener.revoked(over, reason));
		return this;
	}

	public FakeElection slack(Duration slack) {
		this.slack = slack;
		return this;
	}

	public FakeElection holder(String holder) {
		this.holder = holder;
		return this;
	}

	public FakeElection awaiting(String... awaiting) {
		this.awaiting = List.of(awaiting);
		return this;
	}

	public FakeElection failure(LeaderStatus.Failure failure, String... missingVerbs) {
		this.failure = failure;
		this.missingVerbs = List.of(missingVerbs);
		return this;
	}

	public void notify(Consumer<LeadershipListener> notification) {
		this.listeners.forEach(notification);
	}

	public int listeners() {
		return this.listeners.size();
	}

	public int yields() {
		return this.yields;
	}

	@Override
	public boolean isLeader() {
		return this.term != null;
	}

	@Override
	public Term term() {
		return this.term;
	}

	@Override
	public void yield() {
		this.yields++;
		this.state = LeaderState.DRAINING;
	}

	@Override
	public String holder() {
		return this.holder;
	}

	@Override
	public Registration register(LeaderWork work) {
		return () -> {
			// Its work is not called.
		};
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
