package dev.kubeinformer.internal.workqueue;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.workqueue.KeyEntry.State;
import dev.kubeinformer.types.ObjectKey;

/**
 * Queue of the keys of a reconciler.
 * <p>
 * <b>Problem.</b> Thousands of changes must become few runs, and none may be lost. A key
 * must not run twice at once. It may have to wait: for its backoff, for its least
 * interval, or until the caches show its own writes. client-go composes this of a queue,
 * a queue of delays and a rate limiter ({@code util/workqueue/queue.go}). None of them
 * knows what the others know of a key: a change cannot shorten a delay, and a delay that
 * is over adds the key a second time.
 * <p>
 * <b>Idea.</b> One {@link KeyEntry} holds all that is known of a key, and is in exactly
 * one {@link State}. Changes, ends of runs and times move it from state to state. This
 * class decides when; {@link PendingKeys} puts the entry into the structures of its
 * state. It is pure: times are nanoseconds since any moment, and there are no threads.
 * {@link ReconcileLoop} adds the lock, the clock and the workers.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>A key that is READY is in one lane. A key that is DELAYED, PARKED or RESTING is in
 * the heap of deadlines. Other keys are in neither.</li>
 * <li>A key that runs is not handed out. A change only marks its lane, and
 * {@link #settle} queues it when the run ends.</li>
 * <li>A change leaves a key READY, marked, or DELAYED until the earliest time at which it
 * may run. It shortens a wait and never lengthens one.</li>
 * <li>A key moves up to an earlier lane, never down. Every fourth key comes from the
 * lower lanes, so none of them starves.</li>
 * <li>A failing key has one schedule. A try that a change led to before its deadline
 * neither raises the count nor moves the deadline.</li>
 * </ul>
 * <b>Tried and lost.</b> Conflicts that never counted: one that lasted ran the key every
 * 100 ms, so the tenth counts as a failure. A wait that the server asked for, without a
 * bound and for changes too: one answer stopped a key until 2076. The wait for a server
 * that is away as part of the schedule: a key that failed just after the return waited
 * for the rest of it. Keys whose own writes cause their runs, without a bound: two
 * reconcilers ran 150 times a second, so such a key is held.
 * <p>
 * <b>Cost.</b> 88 bytes a ready key, without the key and its strings. A change or a
 * hand-out takes constant time, or logarithmic time in the keys that wait where a wait
 * begins or ends. {@link #retryGivenUp} and {@link #serverIsBack} look at all keys.
 * <p>
 * Methods that make a key ready return whether they did. Not safe for use by several
 * threads.
 */
public final class KeyQueue {

	/** Later than all times. */
	static final long NEVER = Long.MAX_VALUE;

	/** Before all times, however long the least interval. */
	static final long LONG_AGO = Long.MIN_VALUE / 2;

	/** How long the newer version of an object is waited for after a conflict. */
	static final long CONFLICT_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * The conflict since the last success that counts as a failure, as each after it
	 * does: a conflict that lasts must back off.
	 */
	static final int CONFLICTS = 10;

	private static final QueueLane[] LANES = QueueLane.values();

	private static final long TENTH = TimeUnit.MILLISECONDS.toNanos(100);

	private final KeyDelays delays;

	private final long minInterval;

	private final PendingKeys keys = new PendingKeys();

	/**
	 * Creates a queue that knows no key.
	 * @param delays how long keys wait
	 */
	public KeyQueue(KeyDelays delays) {
		this.delays = delays;
		this.minInterval = Durations.nanos(delays.minInterval());
	}

	/**
	 * Queues a key of which something changed.
	 * @param key the key
	 * @param lane the lane that it is to be in at least
	 * @param now the time
	 * @return whether it became ready
	 */
	public boolean changed(ObjectKey key, QueueLane lane, long now) {
		return raise(key, lane, (byte) 0, now);
	}

	/**
	 * Queues a key of which something changed, even if its runs are slowed down.
	 * @param key the key
	 * @param lane the lane that it is to be in at least
	 * @param now the time
	 * @return whether it became ready
	 */
	boolean changedAtOnce(ObjectKey key, QueueLane lane, long now) {
		return raise(key, lane, KeyEntry.AT_ONCE, now);
	}

	/**
	 * Queues a key whose object was deleted.
	 * @param key the key
	 * @param now the time
	 * @return whether it became ready
	 */
	public boolean deleted(ObjectKey key, long now) {
		return raise(key, QueueLane.LIVE, KeyEntry.DELETION, now);
	}

	/**
	 * Queues a key whatever it waits for.
	 * @param key the key
	 * @param lane the lane that it is to be in at least
	 * @param now the time
	 * @return whether it became ready
	 */
	public boolean trigger(ObjectKey key, QueueLane lane, long now) {
		return raise(key, lane, KeyEntry.TRIGGER, now);
	}

	/**
	 * Queues a key if it is absent.
	 * @param key the key
	 * @param now the time
	 * @return whether it became ready
	 */
	public boolean resync(ObjectKey key, long now) {
		return this.keys.isAbsent(key) && changed(key, QueueLane.INITIAL, now);
	}

	/**
	 * Queues the keys that were given up: what has become of their objects while nothing
	 * was watched is not known.
	 * @param now the time
	 */
	void retryGivenUp(long now) {
		this.keys.givenUp().forEach((key) -> changed(key, QueueLane.INITIAL, now));
	}

	private boolean raise(ObjectKey key, QueueLane lane, byte flag, long now) {
		KeyEntry entry = this.keys.entry(key);
		if (entry.state() == State.READY) {
			if (lane.ordinal() < entry.lane) {
				this.keys.move(entry, lane, now);
			}
			return false;
		}
		entry.raise(lane, flag);
		switch (entry.state()) {
			case NEW -> this.keys.ready(entry, now);
			case GIVEN_UP, RESTING -> await(entry, now);
			case DELAYED -> hasten(entry, now);
			default -> {
				// What runs or is parked is only marked.
			}
		}
		return entry.state() == State.READY;
	}

	private void hasten(KeyEntry entry, long now) {
		entry.flags |= KeyEntry.CHANGE;
		long earliest = earliest(entry, now);
		if (earliest <= now) {
			this.keys.ready(entry, now);
		}
		else if (earliest < entry.time) {
			this.keys.hasten(entry, earliest);
		}
	}

	private void await(KeyEntry entry, long now) {
		long earliest = earliest(entry, now);
		if (earliest <= now) {
			this.keys.ready(entry, now);
		}
		else {
			entry.flags |= KeyEntry.CHANGE;
			this.keys.delay(entry, earliest);
		}
	}

	/**
	 * Returns when a key of which something changed may run.
	 * @param entry the key
	 * @param now the time
	 * @return the time, which has not passed
	 */
	private long earliest(KeyEntry entry, long now) {
		if (entry.has(KeyEntry.TRIGGER)) {
			return now;
		}
		long earliest = now;
		if (!entry.has(KeyEntry.DELETION)) {
			earliest = Math.max(earliest, entry.lastStart + this.minInterval);
			if (entry.failures == 0 && !entry.has(KeyEntry.AT_ONCE)) {
				earliest = Math.max(earliest, entry.lastStart + KeyDelays.ofMillis(entry.hold));
			}
		}
		if (entry.failures > 0 && !entry.has(KeyEntry.CONFLICT)) {
			earliest = Math.max(earliest, entry.lastStart + this.delays.hold());
		}
		return Math.min(earliest, Math.max(now, entry.deadline));
	}

	/**
	 * Takes the next key that is ready.
	 * @param now the time
	 * @return the key, whose end is to be reported by one of the methods below;
	 * {@code null} if none is ready
	 */
	public @Nullable TakenKey take(long now) {
		advance(now);
		KeyEntry entry = this.keys.next();
		if (entry == null) {
			return null;
		}
		TakenKey handOut = new TakenKey(entry, LANES[entry.lane], entry.time, now, entry.lastStart, entry.failures + 1,
				entry.ticket);
		this.keys.run(entry);
		entry.lane = KeyEntry.NO_LANE;
		entry.flags &= KeyEntry.SERVER_AWAY;
		entry.ticket = null;
		entry.lastStart = now;
		return handOut;
	}

	/**
	 * Ends the waits whose time has come.
	 * @param now the time
	 */
	void advance(long now) {
		for (KeyEntry due = this.keys.due(now); due != null; due = this.keys.due(now)) {
			switch (due.state()) {
				case RESTING -> this.keys.forget(due);
				case PARKED -> unpark(due, false, now);
				default -> this.keys.ready(due, due.time);
			}
		}
	}

	/**
	 * Reports that nothing is left to do.
	 * @param run the run
	 * @param now the time
	 */
	public void done(TakenKey run, long now) {
		done(run, 0, now);
	}

	/**
	 * Reports that nothing is left to do.
	 * @param run the run
	 * @param interval the least time until the start of the next run for a change; zero
	 * if the key is not slowed down
	 * @param now the time
	 */
	void done(TakenKey run, long interval, long now) {
		succeeded(run.entry(), interval, NEVER, now);
	}

	/**
	 * Reports that another run is to follow.
	 * @param run the run
	 * @param delay the time until then
	 * @param now the time
	 */
	public void requeueAfter(TakenKey run, long delay, long now) {
		requeueAfter(run, delay, 0, now);
	}

	/**
	 * Reports that another run is to follow.
	 * @param run the run
	 * @param delay the time until then
	 * @param interval the least time until the start of the next run; zero if the key is
	 * not slowed down
	 * @param now the time
	 */
	void requeueAfter(TakenKey run, long delay, long interval, long now) {
		long least = Math.max(this.minInterval, interval);
		succeeded(run.entry(), interval, Math.max(now + delay, run.takenAt() + least), now);
	}

	private void succeeded(KeyEntry entry, long interval, long deadline, long now) {
		recovered(entry);
		entry.hold = KeyDelays.millis(interval);
		entry.deadline = deadline;
		settle(entry, now);
	}

	private void recovered(KeyEntry entry) {
		entry.conflicts = 0;
		entry.flags &= ~KeyEntry.SERVER_AWAY;
		if (entry.failures > 0) {
			entry.failures = 0;
			entry.failure = null;
			this.keys.recovered(entry);
		}
	}

	/**
	 * Reports that a run met a newer version of what it wrote.
	 * @param run the run
	 * @param failure what is shown of the failure
	 * @param now the time
	 */
	void conflict(TakenKey run, RunFailure failure, long now) {
		KeyEntry entry = run.entry();
		if (isFailure(run)) {
			countFailure(run, failure, 0, false, now);
		}
		else {
			entry.flags &= ~KeyEntry.SERVER_AWAY;
			entry.conflicts++;
			entry.flags |= KeyEntry.CONFLICT;
			entry.deadline = Math.max(now + CONFLICT_WAIT, run.takenAt() + this.minInterval);
		}
		settle(entry, now);
	}

	/**
	 * Returns whether a conflict of a run would be one too many, and count as a failure:
	 * failures in between do not matter.
	 * @param run the run
	 * @return whether it would
	 */
	static boolean isFailure(TakenKey run) {
		return run.entry().conflicts + 1 >= CONFLICTS;
	}

	/**
	 * Reports that a run failed.
	 * @param run the run
	 * @param failure what is shown of the failure
	 * @param notBefore the wait that the API server asked for, which is bounded and holds
	 * no change; zero if it did not
	 * @param now the time
	 */
	public void failed(TakenKey run, RunFailure failure, long notBefore, long now) {
		failed(run, failure, notBefore, false, now);
	}

	/**
	 * Reports that a run failed.
	 * @param run the run
	 * @param failure what is shown of the failure
	 * @param notBefore the wait that the API server asked for; zero if it did not
	 * @param serverAway whether it failed because the API server is away
	 * @param now the time
	 */
	void failed(TakenKey run, RunFailure failure, long notBefore, boolean serverAway, long now) {
		countFailure(run, failure, notBefore, serverAway, now);
		settle(run.entry(), now);
	}

	/**
	 * Queues the keys whose last runs failed because the API server was away, and resets
	 * their failures. Keys that failed for another reason keep their delay.
	 * @param now the time
	 */
	void serverIsBack(long now) {
		for (KeyEntry entry : this.keys.delayed(KeyEntry.SERVER_AWAY)) {
			recovered(entry);
			hasten(entry, now);
		}
	}

	private void countFailure(TakenKey run, RunFailure failure, long notBefore, boolean serverAway, long now) {
		KeyEntry entry = run.entry();
		boolean early = entry.failures > 0 && entry.deadline != NEVER && now < entry.deadline;
		if (!early) {
			raiseFailures(entry, failure, now);
			entry.deadline = retryAt(run, now);
		}
		else {
			// A try that a change led to: the schedule goes on as if there had been none.
			entry.failure = failure;
			if (entry.has(KeyEntry.SERVER_AWAY)) {
				// The wait for the server is not a schedule: it may be over by now.
				entry.deadline = Math.min(entry.deadline, retryAt(run, now));
			}
		}
		entry.deadline = Math.max(entry.deadline, now + this.delays.asked(notBefore));
		if (serverAway) {
			entry.flags |= KeyEntry.SERVER_AWAY;
		}
		else {
			entry.flags &= ~KeyEntry.SERVER_AWAY;
		}
	}

	private long retryAt(TakenKey run, long now) {
		return Math.max(now + this.delays.backoff(run.entry().failures), run.takenAt() + this.minInterval);
	}

	private void raiseFailures(KeyEntry entry, RunFailure failure, long now) {
		entry.failure = failure;
		entry.failures++;
		if (entry.failures == 1) {
			entry.failingSince = (int) (now / TENTH);
			this.keys.failing(entry);
		}
	}

	/**
	 * Reports that a run failed and is not to be tried again before a change.
	 * @param run the run
	 * @param failure what is shown of the failure
	 * @param now the time
	 */
	void gaveUp(TakenKey run, RunFailure failure, long now) {
		KeyEntry entry = run.entry();
		entry.deadline = NEVER;
		entry.flags &= ~KeyEntry.SERVER_AWAY;
		raiseFailures(entry, failure, now);
		settle(entry, now);
	}

	/**
	 * Reports that there was no run because the object is gone.
	 * @param run the run
	 * @param now the time
	 */
	void absent(TakenKey run, long now) {
		run.entry().lastStart = run.previousStart();
		succeeded(run.entry(), 0, NEVER, now);
	}

	/**
	 * Takes a key back whose run was cancelled by a stop: it is ready again.
	 * @param run the run
	 * @param now the time
	 */
	void returned(TakenKey run, long now) {
		KeyEntry entry = run.entry();
		entry.raise(run.lane(), (byte) 0);
		this.keys.ready(entry, now);
	}

	/**
	 * Adds a key that runs, although it was not taken from this queue.
	 * @param key the key, which is not in the queue
	 */
	void occupy(ObjectKey key) {
		this.keys.entry(key).state(State.RUNNING);
	}

	/**
	 * Reports the end of a run after which nothing is known of the key, but what changed
	 * meanwhile.
	 * @param key the key, which runs
	 * @param now the time
	 */
	void vacate(ObjectKey key, long now) {
		KeyEntry entry = this.keys.entry(key);
		recovered(entry);
		entry.hold = 0;
		entry.deadline = NEVER;
		settle(entry, now);
	}

	private void settle(KeyEntry entry, long now) {
		if (entry.lane != KeyEntry.NO_LANE) {
			await(entry, now);
		}
		else if (entry.deadline != NEVER) {
			entry.lane = (byte) QueueLane.RETRY.ordinal();
			this.keys.delay(entry, entry.deadline);
		}
		else if (entry.failures > 0) {
			entry.state(State.GIVEN_UP);
		}
		else if (restsUntil(entry) > now) {
			this.keys.rest(entry, restsUntil(entry));
		}
		else {
			this.keys.forget(entry);
		}
	}

	private long restsUntil(KeyEntry entry) {
		return entry.lastStart + Math.max(this.minInterval, KeyDelays.ofMillis(entry.hold));
	}

	/**
	 * Parks a key that must not run before writes are seen.
	 * @param run the run, which was none
	 * @param awaited how many writes are awaited
	 * @param now the time
	 * @return what is to be given to {@link #arrived} for each of them
	 */
	ParkedKey park(TakenKey run, int awaited, long now) {
		KeyEntry entry = run.entry();
		entry.lastStart = run.previousStart();
		entry.raise(run.lane(), (byte) 0);
		ParkedKey ticket = new ParkedKey(entry, awaited, now);
		entry.ticket = ticket;
		this.keys.park(entry, now + Durations.nanos(this.delays.ownWritesTimeout()));
		if (awaited <= 0) {
			unpark(entry, true, now);
		}
		return ticket;
	}

	/**
	 * Reports that a write was seen, or will never be.
	 * @param ticket the parking that awaits it
	 * @param now the time
	 * @return whether the key is ready now
	 */
	boolean arrived(ParkedKey ticket, long now) {
		ticket.awaited--;
		return ticket.awaited == 0 && release(ticket, true, now);
	}

	/**
	 * Ends a parking.
	 * @param ticket the parking
	 * @param seen whether the writes were seen
	 * @param now the time
	 * @return whether the key is ready now
	 */
	boolean release(ParkedKey ticket, boolean seen, long now) {
		KeyEntry entry = ticket.entry;
		if (entry.state() != State.PARKED || entry.ticket != ticket) {
			return false;
		}
		unpark(entry, seen, now);
		return true;
	}

	private void unpark(KeyEntry entry, boolean seen, long now) {
		ParkedKey ticket = entry.ticket;
		if (ticket != null) {
			ticket.seen = seen;
			ticket.time = now - ticket.time;
		}
		this.keys.ready(entry, now);
	}

	/**
	 * Returns when the next wait of a key ends.
	 * @return the time; {@link Long#MAX_VALUE} if none waits
	 */
	public long nextDeadline() {
		return this.keys.nextDeadline();
	}

	/**
	 * Returns since when a key fails.
	 * @param entry the key
	 * @return the time, to a tenth of a second
	 */
	static long failingSince(KeyEntry entry) {
		return entry.failingSince * TENTH;
	}

	/**
	 * Returns the keys, for figures.
	 * @return the keys
	 */
	PendingKeys keys() {
		return this.keys;
	}

}
