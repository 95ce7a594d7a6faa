package dev.kubeinformer.internal.elector;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.election.ElectionSignals.Drain;
import dev.kubeinformer.internal.election.EndReason;
import dev.kubeinformer.internal.election.HeldTerm;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spi.CallbackAware;

/**
 * Manages the terms of an elector: tells the leader-only work and the listeners when a
 * term begins and ends. A timer notices the end of a term even while a request hangs.
 * Thread-safe.
 */
public final class TermLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	/**
	 * Longest time until the timer notices that the wall clock was set, or that the
	 * machine was suspended.
	 */
	private static final long LONGEST_CHECK = TimeUnit.MILLISECONDS.toNanos(250);

	private final Duration renewDeadline;

	private final Duration drainTimeout;

	private final ElectorClocks clocks;

	private final ElectionRules rules;

	private final ElectorThreads threads;

	private final List<SerialLeaderWork> lanes = new CopyOnWriteArrayList<>();

	private final OrderedListeners<LeadershipListener> listeners;

	private final TermReport board;

	private volatile @Nullable LeaseTerm current;

	private volatile long terms;

	private volatile long renewals;

	// The fields below are guarded by this.

	private Drain drain = Drain.UNDER_WAY;

	private boolean draining;

	private boolean expired;

	private Instant since;

	/** Wakes the thread of the election. */
	private Runnable wake = () -> {
	};

	/**
	 * Creates the lifecycle, without a term.
	 * @param renewDeadline the time without a renewal after which a term ends
	 * @param drainTimeout the time within which all work must end when a term ends in an
	 * orderly way
	 * @param clocks the clocks
	 * @param rules the rules
	 * @param threads the threads
	 * @param board the receiver of reports about terms
	 */
	public TermLifecycle(Duration renewDeadline, Duration drainTimeout, ElectorClocks clocks, ElectionRules rules,
			ElectorThreads threads, TermReport board) {
		this.renewDeadline = renewDeadline;
		this.drainTimeout = drainTimeout;
		this.clocks = clocks;
		this.rules = rules;
		this.threads = threads;
		this.listeners = new OrderedListeners<>(threads);
		this.board = board;
		this.since = clocks.now();
	}

	public OrderedListeners<LeadershipListener> listeners() {
		return this.listeners;
	}

	public synchronized void wakes(Runnable action) {
		this.wake = action;
	}

	/**
	 * Returns the term if it is valid.
	 * @return the term; {@code null} if this process does not lead
	 */
	public @Nullable LeaseTerm term() {
		LeaseTerm term = this.current;
		return (term != null && term.isValid()) ? term : null;
	}

	public long terms() {
		return this.terms;
	}

	public long renewals() {
		return this.renewals;
	}

	public synchronized boolean isDraining() {
		return this.draining;
	}

	/**
	 * Returns the time of the last change of the state: leading, draining, or neither.
	 * @return the time
	 */
	public synchronized Instant since() {
		return this.since;
	}

	public synchronized Drain drain() {
		return this.drain;
	}

	/**
	 * Returns whether any thread has found that the term is over.
	 * @return {@code true} if the term is over
	 */
	public synchronized boolean isLost() {
		LeaseTerm term = this.current;
		return this.expired || (term != null && !term.isValid());
	}

	public synchronized void granted(HeldTerm held) {
		this.expired = false;
		this.draining = false;
		this.drain = Drain.UNDER_WAY;
		this.since = this.clocks.now();
		this.terms++;
		LeaseTerm term = new LeaseTerm(held, this.renewDeadline, this.rules, this.clocks);
		this.current = term;
		Leadership.Term view = term.view();
		this.board.granted(view);
		forEachLane((lane) -> lane.grant(view), "Work '{}' cannot be granted term " + view.number());
		this.listeners.notify((listener) -> listener.granted(view));
		check(term);
	}

	private void check(LeaseTerm term) {
		this.threads.later(() -> expire(term), Math.max(0, Math.min(LONGEST_CHECK, term.left())), TimeUnit.NANOSECONDS);
	}

	private synchronized void expire(LeaseTerm term) {
		if (this.current != term) {
			return;
		}
		if (term.isValid()) {
			check(term);
			return;
		}
		giveUp();
	}

	/**
	 * Ends the current term as if it had expired, for example if its work cannot be
	 * notified of a change.
	 */
	public synchronized void giveUp() {
		LeaseTerm term = this.current;
		if (term != null) {
			this.expired = true;
			end(term, RevocationReason.EXPIRED);
			this.wake.run();
		}
	}

	public synchronized void renewed(HeldTerm held, Duration slack) {
		LeaseTerm term = this.current;
		if (term != null && term.number() == held.number()) {
			term.renew(held);
			this.renewals++;
			this.listeners.report((listener) -> listener.renewed(slack));
		}
	}

	public void renewalFailed() {
		this.listeners.report(LeadershipListener::renewalFailed);
	}

	public void warned(String text) {
		this.listeners.report((listener) -> listener.warningReceived(text));
	}

	public synchronized void drain(EndReason reason) {
		LeaseTerm term = this.current;
		if (term == null) {
			// The term has expired in the meantime, and the work was already ended.
			this.drain = Drain.FAILED;
			return;
		}
		this.draining = true;
		this.since = this.clocks.now();
		try {
			drainAll(Durations.millis(this.drainTimeout))
				.whenComplete((drained, failure) -> drained(term, failure == null && drained));
		}
		catch (RuntimeException | Error ex) {
			// Set an outcome, because otherwise the election would wait permanently.
			drained(term, false);
			throw ex;
		}
	}

	private synchronized void drained(LeaseTerm term, boolean well) {
		if (this.current == term && this.drain == Drain.UNDER_WAY) {
			this.drain = well ? Drain.DONE : Drain.FAILED;
			if (!well) {
				this.board.undrained();
			}
			this.wake.run();
		}
	}

	public synchronized void revoked(HeldTerm held, EndReason reason) {
		LeaseTerm term = this.current;
		// The timer may have ended the term first.
		if (term != null && term.number() == held.number()) {
			end(term, RevocationReason.valueOf(reason.name()));
		}
		this.expired = false;
	}

	/**
	 * Called when the election has ended. Ends the term, if the election has not done so.
	 */
	public synchronized void halted() {
		LeaseTerm term = this.current;
		if (term != null) {
			end(term, RevocationReason.STOPPED);
		}
		this.since = this.clocks.now();
	}

	private void end(LeaseTerm term, RevocationReason reason) {
		this.current = null;
		this.draining = false;
		this.since = this.clocks.now();
		Leadership.Term view = term.view();
		forEachLane(SerialLeaderWork::lose, "Work '{}' failed in lost()");
		this.board.revoked(view.number(), reason);
		this.listeners.notify((listener) -> listener.revoked(view, reason));
	}

	/**
	 * Adds leader-only work. If there is a term that is not ending, the work begins
	 * immediately.
	 * @param work the work
	 * @return the object that calls the work
	 */
	public synchronized SerialLeaderWork add(LeaderWork work) {
		SerialLeaderWork lane = new SerialLeaderWork(work, this.threads);
		this.lanes.add(lane);
		LeaseTerm term = term();
		if (term != null && !this.draining) {
			lane.grant(term.view());
		}
		return lane;
	}

	/**
	 * Removes leader-only work. It is not called any more.
	 * @param lane the object that calls the work
	 */
	public void remove(SerialLeaderWork lane) {
		this.lanes.remove(lane);
		lane.close();
	}

	public boolean hasWork() {
		return !this.lanes.isEmpty();
	}

	/**
	 * Returns whether the calling thread runs a callback of leader-only work that a drain
	 * waits for.
	 * @return {@code true} if the calling thread runs such a callback
	 */
	public boolean isInCallback() {
		return this.lanes.stream().anyMatch((lane) -> CallbackAware.isInCallback(lane.work()));
	}

	/**
	 * Returns the names of the caches that leader-only work waits for. Calls user code,
	 * which may be slow.
	 * @return the names
	 */
	public List<String> awaiting() {
		List<String> awaiting = new ArrayList<>();
		for (SerialLeaderWork lane : this.lanes) {
			try {
				awaiting.addAll(lane.work().awaiting());
			}
			catch (RuntimeException ex) {
				logger.error("Work '{}' failed in awaiting()", lane.work(), ex);
			}
		}
		return awaiting;
	}

	private void forEachLane(Consumer<SerialLeaderWork> action, String failure) {
		for (SerialLeaderWork lane : this.lanes) {
			try {
				action.accept(lane);
			}
			catch (RuntimeException | Error ex) {
				// Continue, because the other work must be notified, too.
				logger.error(failure, lane.work(), ex);
			}
		}
	}

	private CompletableFuture<Boolean> drainAll(long limitMillis) {
		List<CompletableFuture<Boolean>> drains = this.lanes.stream().map(SerialLeaderWork::drain).toList();
		CompletableFuture<Boolean> all = CompletableFuture.allOf(drains.toArray(CompletableFuture[]::new))
			.thenApply((none) -> drains.stream().allMatch(CompletableFuture::join));
		// Use another thread, because the timer's thread must not block.
		ScheduledFuture<?> limit = this.threads.later(() -> this.threads.call(() -> all.complete(false)), limitMillis,
				TimeUnit.MILLISECONDS);
		if (limit != null) {
			all.whenComplete((drained, failure) -> limit.cancel(false));
		}
		return all;
	}

}
