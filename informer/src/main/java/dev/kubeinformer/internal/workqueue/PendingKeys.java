package dev.kubeinformer.internal.workqueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.workqueue.KeyEntry.State;
import dev.kubeinformer.types.ObjectKey;

/**
 * Keys that a queue knows, in the data structures for their states: ready keys in lanes,
 * waiting keys in a heap. This class moves keys from state to state and counts them;
 * {@link KeyQueue} decides when they move.
 */
final class PendingKeys {

	/**
	 * Time within which the retry of a key must be due, so that the key counts as busy.
	 */
	private static final long SOON = TimeUnit.SECONDS.toNanos(1);

	/** Maximum number of failing keys that reports name. */
	static final int MOST_FAILING = 20;

	private final KeyTable table = new KeyTable();

	private final KeyLanes lanes = new KeyLanes();

	private final Deadlines deadlines = new Deadlines();

	/**
	 * Keys that have been failing longest, the longest first. When one of them recovers,
	 * the next read of the list adds another key.
	 */
	private final List<KeyEntry> longestFailing = new ArrayList<>(MOST_FAILING);

	private int failing;

	private int delayed;

	private int parked;

	KeyEntry entry(ObjectKey key) {
		KeyEntry entry = this.table.get(key);
		if (entry == null) {
			entry = new KeyEntry(key);
			this.table.add(entry);
		}
		return entry;
	}

	/**
	 * Returns whether a key is neither queued nor running, and has no pending retry or
	 * requeue.
	 * @param key the key
	 * @return {@code true} if the key is absent
	 */
	boolean isAbsent(ObjectKey key) {
		KeyEntry entry = this.table.get(key);
		return entry == null || entry.state() == State.RESTING;
	}

	void ready(KeyEntry entry, long since) {
		leave(entry);
		entry.state(State.READY);
		entry.time = since;
		this.lanes.add(entry);
	}

	/**
	 * Moves a ready key to the end of another {@link QueueLane}.
	 * @param entry the entry of the key
	 * @param lane the lane
	 * @param since the time at which it became ready there
	 */
	void move(KeyEntry entry, QueueLane lane, long since) {
		this.lanes.remove(entry);
		entry.lane = (byte) lane.ordinal();
		entry.time = since;
		this.lanes.add(entry);
	}

	void delay(KeyEntry entry, long until) {
		leave(entry);
		// Add first: if this throws an OutOfMemoryError, the key keeps its state.
		this.deadlines.add(entry, until);
		entry.state(State.DELAYED);
		this.delayed++;
	}

	void hasten(KeyEntry entry, long until) {
		this.deadlines.advance(entry, until);
	}

	void park(KeyEntry entry, long until) {
		this.deadlines.add(entry, until);
		entry.state(State.PARKED);
		this.parked++;
	}

	void rest(KeyEntry entry, long until) {
		this.deadlines.add(entry, until);
		entry.state(State.RESTING);
	}

	/**
	 * Ends the wait of a key if it waits.
	 * @param entry the entry of the key
	 */
	private void leave(KeyEntry entry) {
		if (entry.place >= 0) {
			this.deadlines.remove(entry);
		}
		if (entry.state() == State.DELAYED) {
			this.delayed--;
		}
		else if (entry.state() == State.PARKED) {
			this.parked--;
		}
	}

	void forget(KeyEntry entry) {
		leave(entry);
		this.table.remove(entry);
	}

	/**
	 * Forgets a key and its failures if it is not running.
	 * @param key the key
	 */
	void evict(ObjectKey key) {
		KeyEntry entry = this.table.get(key);
		if (entry == null || entry.state() == State.RUNNING) {
			return;
		}
		if (entry.state() == State.READY) {
			this.lanes.remove(entry);
		}
		if (entry.failures > 0) {
			recovered(entry);
		}
		// Writes that arrive later must not find a parked key.
		entry.ticket = null;
		forget(entry);
	}

	/**
	 * Chooses the next key to run.
	 * @return the entry of the key; {@code null} if none is ready
	 */
	@Nullable KeyEntry next() {
		return this.lanes.next();
	}

	void run(KeyEntry entry) {
		this.lanes.remove(entry);
		entry.state(State.RUNNING);
	}

	/**
	 * Returns the next key whose wait is over.
	 * @param now the time
	 * @return the entry of the key; {@code null} if there is none
	 */
	@Nullable KeyEntry due(long now) {
		return this.deadlines.due(now);
	}

	/**
	 * Returns when the next wait ends.
	 * @return the time; {@link KeyQueue#NEVER} if no key waits
	 */
	long nextDeadline() {
		return this.deadlines.first();
	}

	void failing(KeyEntry entry) {
		// Do not extend an incomplete list: keys that failed earlier may be missing.
		if (this.longestFailing.size() == this.failing && this.failing < MOST_FAILING) {
			this.longestFailing.add(entry);
		}
		this.failing++;
	}

	void recovered(KeyEntry entry) {
		this.longestFailing.remove(entry);
		this.failing--;
	}

	int ready(QueueLane lane) {
		return this.lanes.size(lane);
	}

	boolean hasReady() {
		return !this.lanes.isEmpty();
	}

	/**
	 * Returns the time at which the key that has waited longest became ready.
	 * @return the time; {@link KeyQueue#NEVER} if none is ready
	 */
	long oldestReady() {
		return this.lanes.oldest();
	}

	int delayed() {
		return this.delayed;
	}

	int parked() {
		return this.parked;
	}

	/**
	 * Returns the number of keys in all states.
	 * @return the number
	 */
	int size() {
		return this.table.size();
	}

	int failingKeys() {
		return this.failing;
	}

	/**
	 * Returns the keys that have been failing longest.
	 * @return the entries of the keys, at most {@value #MOST_FAILING}
	 */
	List<KeyEntry> longestFailing() {
		if (this.longestFailing.size() < Math.min(this.failing, MOST_FAILING)) {
			PriorityQueue<KeyEntry> latestFirst = new PriorityQueue<>(
					Comparator.comparingInt((KeyEntry entry) -> entry.failingSince).reversed());
			this.table.forEach((entry) -> {
				if (entry.failures > 0) {
					latestFirst.add(entry);
					if (latestFirst.size() > MOST_FAILING) {
						latestFirst.remove();
					}
				}
			});
			this.longestFailing.clear();
			this.longestFailing.addAll(latestFirst);
			this.longestFailing.sort(Comparator.comparingInt((entry) -> entry.failingSince));
		}
		return this.longestFailing;
	}

	/**
	 * Returns the waiting keys, except keys that wait for a requeue or a distant retry.
	 * Running keys are not included.
	 * @param limit the maximum number of named keys
	 * @param now the time
	 * @return the keys
	 */
	Waiting waiting(int limit, long now) {
		List<String> names = new ArrayList<>();
		this.lanes.first(limit, (entry) -> names.add(entry.key + " (queued)"));
		int[] held = new int[1];
		this.deadlines.forEach((entry) -> {
			if (isBusy(entry, now)) {
				held[0]++;
				if (names.size() < limit) {
					names.add(entry.key + ((entry.state() == State.PARKED) ? " (parked)" : " (delayed)"));
				}
			}
		});
		int queued = ready(QueueLane.LIVE) + ready(QueueLane.RETRY) + ready(QueueLane.INITIAL);
		return new Waiting(queued + held[0], names);
	}

	List<ObjectKey> givenUp() {
		List<ObjectKey> keys = new ArrayList<>();
		this.table.forEach((entry) -> {
			if (entry.state() == State.GIVEN_UP) {
				keys.add(entry.key);
			}
		});
		return keys;
	}

	/**
	 * Returns the delayed keys that have a flag.
	 * @param flag the flag
	 * @return the entries of the keys
	 */
	List<KeyEntry> delayed(byte flag) {
		List<KeyEntry> entries = new ArrayList<>();
		this.table.forEach((entry) -> {
			if (entry.state() == State.DELAYED && entry.has(flag)) {
				entries.add(entry);
			}
		});
		return entries;
	}

	private static boolean isBusy(KeyEntry entry, long now) {
		return switch (entry.state()) {
			case PARKED -> true;
			case DELAYED ->
				(entry.failures > 0 || entry.conflicts > 0) ? entry.time - now < SOON : entry.has(KeyEntry.CHANGE);
			default -> false;
		};
	}

	/**
	 * Waiting keys.
	 *
	 * @param count the number of keys
	 * @param names the names of some of them
	 */
	record Waiting(int count, List<String> names) {

	}

}
