package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * What the queue knows of a key. One object, which is a link of all structures that the
 * key is in: a million pending keys may take 100 bytes each.
 */
final class KeyEntry {

	/** The lane of a key of which nothing changed: below all others. */
	static final byte NO_LANE = (byte) QueueLane.values().length;

	/** A change that waits until the key may run. */
	static final byte CHANGE = 1;

	/** The least interval does not hold it. */
	static final byte DELETION = 2;

	/** No delay holds it. */
	static final byte TRIGGER = 4;

	/** It waits for the newer version of what it wrote. */
	static final byte CONFLICT = 8;

	/** The interval of a key that is slowed down does not hold it. */
	static final byte AT_ONCE = 16;

	/**
	 * The last run that ended failed because the API server is away. The only flag that a
	 * key keeps while it runs.
	 */
	static final byte SERVER_AWAY = 32;

	private static final State[] STATES = State.values();

	final ObjectKey key;

	/** The next one in the same bucket of the table. */
	@Nullable KeyEntry chain;

	/** The next one of the lane. */
	@Nullable KeyEntry next;

	@Nullable KeyEntry previous;

	/** What is awaited, from parking until the key is taken. */
	@Nullable ParkedKey ticket;

	/** What is shown of the last failure, while the key fails. */
	@Nullable RunFailure failure;

	/** The place among the deadlines, or -1. */
	int place = -1;

	/** The failed runs in a row. */
	int failures;

	/** When it began to fail, in tenths of a second. */
	int failingSince;

	/**
	 * How long after its last start a change must wait, in ms, while it is slowed down.
	 */
	int hold;

	/** The ordinal of the state: a reference to it would take three bytes more. */
	private byte state;

	/**
	 * The lane that it is in or will be in; if it runs, the lane of what changed since.
	 */
	byte lane = NO_LANE;

	byte flags;

	/** Number of conflicts since the last success, without those that are failures. */
	byte conflicts;

	/** When it became ready, or when its wait ends. */
	long time;

	/** When the last run asked for another one. */
	long deadline = KeyQueue.NEVER;

	/** When the last run started; before all times if there was none. */
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

	/**
	 * What a key does.
	 */
	enum State {

		/** It was made just now. */
		NEW,

		/** It waits for a worker. */
		READY,

		/** It runs. */
		RUNNING,

		/** It waits until a time. */
		DELAYED,

		/** It waits until writes are seen, or until a time. */
		PARKED,

		/** It was given up, and waits for a change. */
		GIVEN_UP,

		/** As if absent, but kept until the least interval is over. */
		RESTING

	}

}
