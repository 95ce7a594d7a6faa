package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * State of a key in the queue. It is one object that serves as the node of all structures
 * that hold the key, so that a million pending keys take 100 bytes each.
 */
final class KeyEntry {

	/**
	 * Stands for no lane: the key has no change to run for. It is after the last lane.
	 */
	static final byte NO_LANE = (byte) QueueLane.values().length;

	/** Flag: a change waits until the key may run. */
	static final byte CHANGE = 1;

	/** Flag: the object was deleted, so the minimum interval does not delay the key. */
	static final byte DELETION = 2;

	/** Flag: the key was triggered, so no delay applies. */
	static final byte TRIGGER = 4;

	/** Flag: the key waits for the newer version of the object that it wrote. */
	static final byte CONFLICT = 8;

	/**
	 * Flag: the key is not delayed by the interval of a key that is slowed down
	 * ({@link KeyRun#slowDown}).
	 */
	static final byte AT_ONCE = 16;

	/**
	 * Flag: the last run failed because the API server was unavailable. It is the only
	 * flag that a key keeps while it runs.
	 */
	static final byte SERVER_AWAY = 32;

	private static final State[] STATES = State.values();

	final ObjectKey key;

	/** Next entry in the same bucket of the table. */
	@Nullable KeyEntry chain;

	/** Next entry of the lane. */
	@Nullable KeyEntry next;

	@Nullable KeyEntry previous;

	/** Wait of the parked key; set until the key is taken again. */
	@Nullable ParkedKey ticket;

	/** Last failure, for reports; set while the key fails. */
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

	/** Ordinal of the state; a reference would take three bytes more. */
	private byte state;

	/**
	 * Lane of a ready key, or the lane that a waiting key will join. For a running key,
	 * the lane of the changes since the start of the run.
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

	/** Time at which the key is due for the requeue or retry that its last run led to. */
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

		/** The key waits until a time. */
		DELAYED,

		/** The key waits until the caches show its own writes, or until a time. */
		PARKED,

		/** The last run failed, and the key is not retried before a change. */
		GIVEN_UP,

		/**
		 * The key has nothing to do and counts as absent. Its entry is kept until the
		 * minimum interval is over, because the next run must not start before.
		 */
		RESTING

	}

}
