package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * State of a key in the queue. The entry is also the node of each data structure that
 * contains the key, so a million pending keys take only 100 bytes each.
 */
final class KeyEntry {

	/**
	 * Value of {@link #lane} for a key that no change has queued. It is greater than the
	 * ordinal of the last lane.
	 */
	static final byte NO_LANE = (byte) QueueLane.values().length;

	/** Flag: something changed, and the key waits until it may run for this change. */
	static final byte CHANGE = 1;

	/** Flag: the object was deleted, so the minimum interval does not delay the key. */
	static final byte DELETION = 2;

	/** Flag: the key was triggered, so no delay applies. */
	static final byte TRIGGER = 4;

	/**
	 * Flag: a write met a newer version of its object, and the key waits for that
	 * version.
	 */
	static final byte CONFLICT = 8;

	/**
	 * Flag: the minimum time set by {@link KeyRun#slowDown} does not delay the key.
	 */
	static final byte AT_ONCE = 16;

	/**
	 * Flag: the last run failed because the API server was unavailable. All other flags
	 * are cleared when the key runs.
	 */
	static final byte SERVER_AWAY = 32;

	private static final State[] STATES = State.values();

	final ObjectKey key;

	/** Next entry in the same bucket of the hash table. */
	@Nullable KeyEntry chain;

	/** Next entry in the same {@link QueueLane}. */
	@Nullable KeyEntry next;

	@Nullable KeyEntry previous;

	/** Wait for the key's own writes; set from its start until the key is taken again. */
	@Nullable ParkedKey ticket;

	/** Last failure, for reports; {@code null} if the key is not failing. */
	@Nullable RunFailure failure;

	/** Position of the entry in {@link Deadlines}; -1 if it is not there. */
	int place = -1;

	/** Number of failed runs in a row. */
	int failures;

	/** Time of the first of the {@link #failures}, in tenths of a second. */
	int failingSince;

	/**
	 * Minimum time in ms between the start of the last run and a run that a change
	 * causes; 0 if the key is not slowed down.
	 */
	int hold;

	/** Ordinal of the {@link State}; a reference would take three bytes more. */
	private byte state;

	/**
	 * Ordinal of the {@link QueueLane} of a ready key, or of the lane that a waiting key
	 * will join. For a running key, the lane of the changes since the start of the run.
	 */
	byte lane = NO_LANE;

	byte flags;

	/**
	 * Number of conflicts since the last successful run, without the conflicts that count
	 * as failures.
	 */
	byte conflicts;

	/** Time at which the key became ready, or at which its wait ends. */
	long time;

	/** Time of the requeue or retry that the last run led to. */
	long deadline = KeyQueue.NEVER;

	/** Start of the last run; {@link KeyQueue#LONG_AGO} if there was none. */
	long lastStart = KeyQueue.LONG_AGO;

	KeyEntry(ObjectKey key) {
		this.key = key;
	}

	State state() {
		return STATES[this.state];
	}

	void state(State to) {
		this.state = (byte) to.ordinal();
	}

	boolean has(byte flag) {
		return (this.flags & flag) != 0;
	}

	void raise(QueueLane to, byte flag) {
		this.flags |= flag;
		this.lane = (byte) Math.min(this.lane, to.ordinal());
	}

	/** State of a key in the queue. */
	enum State {

		/** The entry was just created. */
		NEW,

		/** The key waits for a worker. */
		READY,

		/** The key is running. */
		RUNNING,

		/** The key waits until {@link KeyEntry#time}. */
		DELAYED,

		/**
		 * The key waits until the caches show its own writes, or until the wait times
		 * out.
		 */
		PARKED,

		/** The last run failed, and the key does not run again before a change. */
		GIVEN_UP,

		/**
		 * The key has nothing to do and counts as absent. Its entry is kept until the
		 * minimum interval is over, because the next run must not start before that.
		 */
		RESTING

	}

}
