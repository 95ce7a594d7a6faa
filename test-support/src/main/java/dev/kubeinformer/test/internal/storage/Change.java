package dev.kubeinformer.test.internal.storage;

import org.jspecify.annotations.Nullable;

/**
 * One write in the history of a resource, with a link to the next write.
 * <p>
 * A watch references the last change that it has sent, and follows the links. So a slow
 * watch does not need its own queue, and does not delay writers.
 */
public final class Change {

	private final Type type;

	private final long revision;

	private final long sequence;

	private final long time;

	private final @Nullable PersistedObject previous;

	private final @Nullable PersistedObject object;

	private volatile @Nullable Change next;

	private volatile @Nullable PersistedObject departed;

	private Change(Type type, long revision, long sequence, long time, @Nullable PersistedObject previous,
			@Nullable PersistedObject object) {
		this.type = type;
		this.revision = revision;
		this.sequence = sequence;
		this.time = time;
		this.previous = previous;
		this.object = object;
	}

	// Creates the start of a history, to which the first change is appended.
	static Change origin() {
		return new Change(Type.ORIGIN, 0, 0, 0, null, null);
	}

	Change append(Type type, long at, @Nullable PersistedObject before, PersistedObject after) {
		Change change = new Change(type, after.revision(), this.sequence + 1, at, before, after);
		this.next = change;
		return change;
	}

	public Type type() {
		return this.type;
	}

	public long revision() {
		return this.revision;
	}

	// Number of this change among the changes of its resource.
	public long sequence() {
		return this.sequence;
	}

	// Time of the write, in nanoseconds of the clock of the log.
	public long time() {
		return this.time;
	}

	// State before the change, or null if the object did not exist.
	public @Nullable PersistedObject previous() {
		return this.previous;
	}

	// State after the change; for a delete, the last state with the revision of the
	// delete.
	public PersistedObject object() {
		if (this.object == null) {
			throw new IllegalStateException("The origin of a history has no object");
		}
		return this.object;
	}

	// Previous state of the object, with the revision of this change. It is sent by a
	// watch whose selector no longer matches the object.
	public PersistedObject departed() {
		PersistedObject result = this.departed;
		if (result == null) {
			PersistedObject before = this.previous;
			if (before == null) {
				throw new IllegalStateException("An object that did not exist cannot leave a selector");
			}
			result = before.at(this.revision);
			this.departed = result;
		}
		return result;
	}

	public @Nullable Change next() {
		return this.next;
	}

	/**
	 * Type of a change.
	 */
	public enum Type {

		/**
		 * Start of the history, before the first change.
		 */
		ORIGIN,

		/**
		 * The object was created.
		 */
		ADDED,

		/**
		 * The object was changed.
		 */
		MODIFIED,

		/**
		 * The object was removed.
		 */
		DELETED

	}

}
