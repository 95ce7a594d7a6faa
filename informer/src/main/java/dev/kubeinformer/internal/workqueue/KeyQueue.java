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
 * <b>Problem.</b> A key is the namespace and name of an object to reconcile. Thousands of
 * changes must become few runs, and no change may be lost. A key must not run twice at
 * the same time. It may have to wait: for its backoff, for its minimum interval, or until
 * the caches show its own writes. client-go composes this of a queue, a delay queue and a
 * rate limiter ({@code util/workqueue/queue.go}). These do not share their knowledge of a
 * key: a change cannot shorten a delay, and a delay that is over adds the key a second
 * time.
 * <p>
 * <b>Idea.</b> One {@link KeyEntry} holds the whole state of a key and is in exactly one
 * {@link State}. Changes, ends of runs and deadlines move it from state to state. This
 * class decides when; {@link PendingKeys} puts the entry into the structures of its
 * state. The class is pure: times are parameters, in nanoseconds since an arbitrary
 * origin, and there are no threads. {@link ReconcileLoop} adds the lock, the clock and
 * the workers.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>A key that is READY is in one lane ({@link QueueLane}). A key that is DELAYED,
 * PARKED or RESTING is in the heap of deadlines. Other keys are in neither.</li>
 * <li>A running key is not handed out again. A change only notes a lane in its entry, and
 * {@link #settle} queues the key when the run ends.</li>
 * <li>After a change, a key is READY, DELAYED until the earliest time at which it may
 * run, or still RUNNING or PARKED with the change noted in its entry. A change may
 * shorten a wait and never lengthens one.</li>
 * <li>A key moves up to an earlier lane, never down to a later one. Every fourth key
 * comes from a later lane, so no lane starves.</li>
 * <li>A failing key has one schedule of retries. If a change starts a run before the next
 * retry is due, and that run fails, the failure neither raises the number of failures nor
 * moves the retry.</li>
 * </ul>
 * <b>Rejected alternatives.</b> Conflicts that never counted as failures: a lasting
 * conflict ran the key every 100 ms, so conflicts count from the tenth on. Unlimited
 * waits at the request of the server, even for changes: one response stopped a key until
 * 2076. The wait for an unavailable server as part of the schedule of retries: a key that
 * failed just after the server had returned still waited until the end of the delay for
 * the outage. Any number of runs for a key whose own writes cause its next runs: two
 * reconcilers ran 150 times a second, so such a key is slowed down.
 * <p>
 * <b>Cost.</b> A ready key needs 88 bytes, without the key and its strings. A change or a
 * hand-out takes constant time. If a wait begins or ends, it takes logarithmic time in
 * the number of waiting keys. {@link #retryGivenUp} and {@link #serverIsBack} visit all
 * keys.
 * <p>
 * Methods that may make a key ready return whether they did. Not safe for use by several
 * threads.
 */
public final class KeyQueue {

	/** Time later than all others. */
	static final long NEVER = Long.MAX_VALUE;

	/** Time so early that every minimum interval since then is over. */
	static final long LONG_AGO = Long.MIN_VALUE / 2;

	/**
	 * Time between a conflict and the next run. In this time, the cache should receive
	 * the newer version of the object.
	 */
	static final long CONFLICT_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * Number of the first conflict since the last success that counts as a failure. Later
	 * conflicts count, too, because the backoff must slow down a lasting conflict.
	 */
	static final int CONFLICTS = 10;

	private static final QueueLane[] LANES = QueueLane.values();

	private static final long TENTH = TimeUnit.MILLISECONDS.toNanos(100);

	private final KeyDelays delays;

	private final long minInterval;

	private final PendingKeys keys = new PendingKeys();

	/**
	 * Creates an empty queue.
	 * @param delays the delays of the keys
	 */
	public KeyQueue(KeyDelays delays) {
		this.delays = delays;
		this.minInterval = Durations.nanos(delays.minInterval());
	}

	/**
	 * Queues a key for which something changed.
	 * @param key the key
	 * @param lane the minimum priority of the key in the queue
	 * @param now the time
	 * @return {@code true} if the key became ready
	 */
	public boolean changed(ObjectKey key, QueueLane lane, long now) {
		return raise(key, lane, (byte) 0, now);
	}

	/**
	 * Queues a key for which something changed, even if its runs are slowed down.
	 * @param key the key
	 * @param lane the minimum priority of the key in the queue
	 * @param now the time
	 * @return {@code true} if the key became ready
	 */
	boolean changedAtOnce(ObjectKey key, QueueLane lane, long now) {
		return raise(key, lane, KeyEntry.AT_ONCE, now);
	}

	/**
	 * Queues a key whose object was deleted.
	 * @param key the key
	 * @param now the time
	 * @return {@code true} if the key became ready
	 */
	public boolean deleted(ObjectKey key, long now) {
		return raise(key, QueueLane.LIVE, KeyEntry.DELETION, now);
	}

	/**
	 * Queues a key immediately, whatever it waits for.
	 * @param key the key
	 * @param lane the minimum priority of the key in the queue
	 * @param now the time
	 * @return {@code true} if the key became ready
	 */
	public boolean trigger(ObjectKey key, QueueLane lane, long now) {
		return raise(key, lane, KeyEntry.TRIGGER, now);
	}

	/**
	 * Queues a key if it is neither queued nor running, and does not wait.
	 * @param key the key
	 * @param now the time
	 * @return {@code true} if the key became ready
	 */
	public boolean resync(ObjectKey key, long now) {
		return this.keys.isAbsent(key) && changed(key, QueueLane.INITIAL, now);
	}

	/**
	 * Queues the keys whose failed runs are not retried. Called when the loop starts,
	 * because their objects may have changed while nothing was watched.
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
				// Running and parked keys are only marked.
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
	 * Returns the earliest time at which a key may run after a change.
	 * @param entry the entry of the key
	 * @param now the time
	 * @return the earliest time, at least {@code now}
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
	 * Takes the next ready key.
	 * @param now the time
	 * @return the key; {@code null} if no key is ready. The caller must report the end of
	 * the run, for example by {@link #done} or {@link #failed}
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
	 * Ends the waits that are over, and makes their keys ready.
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
	 * Reports that a run has ended and left nothing to do.
	 * @param run the run
	 * @param now the time
	 */
	public void done(TakenKey run, long now) {
		done(run, 0, now);
	}

	/**
	 * Reports that a run has ended and left nothing to do.
	 * @param run the run
	 * @param interval the minimum time between the start of this run and a run that a
	 * change causes; zero if the key is not slowed down
	 * @param now the time
	 */
	void done(TakenKey run, long interval, long now) {
		succeeded(run.entry(), interval, NEVER, now);
	}

	/**
	 * Reports that a run has ended and asked for another run of its key.
	 * @param run the run
	 * @param delay the time until the next run, in nanoseconds
	 * @param now the time
	 */
	public void requeueAfter(TakenKey run, long delay, long now) {
		requeueAfter(run, delay, 0, now);
	}

	/**
	 * Reports that a run has ended and asked for another run of its key.
	 * @param run the run
	 * @param delay the time until the next run, in nanoseconds
	 * @param interval the minimum time between the start of this run and a run that a
	 * change causes; zero if the key is not slowed down
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
	 * Reports that a run ended with a conflict: the object that it wrote had a newer
	 * version at the API server.
	 * @param run the run
	 * @param failure the failure to report
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
	 * Returns whether a conflict of this run would count as a failure. All conflicts
	 * since the last success are counted, even if there were other failures in between.
	 * @param run the run
	 * @return {@code true} if a conflict would be the tenth or a later one
	 */
	static boolean isFailure(TakenKey run) {
		return run.entry().conflicts + 1 >= CONFLICTS;
	}

	/**
	 * Reports that a run failed.
	 * @param run the run
	 * @param failure the failure to report
	 * @param notBefore the wait that the API server asked for; zero if none. The wait is
	 * limited, and does not delay runs that changes cause
	 * @param now the time
	 */
	public void failed(TakenKey run, RunFailure failure, long notBefore, long now) {
		failed(run, failure, notBefore, false, now);
	}

	/**
	 * Reports that a run failed.
	 * @param run the run
	 * @param failure the failure to report
	 * @param notBefore the wait that the API server asked for; zero if none
	 * @param serverAway whether the run failed because the API server was unavailable
	 * @param now the time
	 */
	void failed(TakenKey run, RunFailure failure, long notBefore, boolean serverAway, long now) {
		countFailure(run, failure, notBefore, serverAway, now);
		settle(run.entry(), now);
	}

	/**
	 * Queues the keys whose last runs failed because the API server was unavailable, and
	 * sets their numbers of failures to zero. Keys that failed for another reason keep
	 * their delay.
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
			// The run started before the deadline because of a change, so the schedule of
			// retries stays as it was.
			entry.failure = failure;
			if (entry.has(KeyEntry.SERVER_AWAY)) {
				// The wait for the server is not part of the schedule of retries, and it
				// may be over by now.
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
	 * Reports that a run failed and should not be retried before a change.
	 * @param run the run
	 * @param failure the failure to report
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
	 * Reports that no run was needed, because the object does not exist.
	 * @param run the run
	 * @param now the time
	 */
	void absent(TakenKey run, long now) {
		run.entry().lastStart = run.previousStart();
		succeeded(run.entry(), 0, NEVER, now);
	}

	/**
	 * Takes back a key whose run was cancelled because the loop stopped, and makes it
	 * ready again.
	 * @param run the run
	 * @param now the time
	 */
	void returned(TakenKey run, long now) {
		KeyEntry entry = run.entry();
		entry.raise(run.lane(), (byte) 0);
		this.keys.ready(entry, now);
	}

	/**
	 * Forgets a key whose object another process reconciles from now on. A running key is
	 * forgotten at the end of its run.
	 * @param key the key
	 */
	void evict(ObjectKey key) {
		this.keys.evict(key);
	}

	/**
	 * Adds a key that is still running, but was not taken from this queue.
	 * @param key the key, which is not in the queue
	 */
	void occupy(ObjectKey key) {
		this.keys.entry(key).state(State.RUNNING);
	}

	/**
	 * Reports the end of a run whose key was forgotten while it was running. If changes
	 * have queued the key since then, it runs again. The result of the run has no other
	 * effect.
	 * @param key the running key
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
	 * Parks a key that must not run before the caches show its own writes.
	 * @param run the taken key, which did not become a run
	 * @param awaited the number of awaited writes
	 * @param now the time
	 * @return the ticket to pass to {@link #arrived} for each write
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
	 * Reports that a cache shows an awaited write, or will never show it.
	 * @param ticket the ticket that {@link #park} returned
	 * @param now the time
	 * @return {@code true} if the key is ready now
	 */
	boolean arrived(ParkedKey ticket, long now) {
		ticket.awaited--;
		return ticket.awaited == 0 && release(ticket, true, now);
	}

	/**
	 * Makes a parked key ready, unless the wait is over already.
	 * @param ticket the ticket that {@link #park} returned
	 * @param seen whether the caches show the writes
	 * @param now the time
	 * @return {@code true} if the key is ready now
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
	 * @return the time; {@link Long#MAX_VALUE} if no key waits
	 */
	public long nextDeadline() {
		return this.keys.nextDeadline();
	}

	/**
	 * Returns the time of a key's first failure since its last success.
	 * @param entry the entry of the key
	 * @return the time, to a tenth of a second
	 */
	static long failingSince(KeyEntry entry) {
		return entry.failingSince * TENTH;
	}

	/**
	 * Returns the keys, for metrics and reports.
	 * @return the keys
	 */
	PendingKeys keys() {
		return this.keys;
	}

}
