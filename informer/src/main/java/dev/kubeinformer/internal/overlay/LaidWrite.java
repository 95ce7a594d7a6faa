package dev.kubeinformer.internal.overlay;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.WriteWait;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Outcome of a write that lies over a store. It is compared by identity.
 *
 * @param <T> the model class
 */
final class LaidWrite<T> {

	/** The key of the run that has written last. */
	final ObjectKey writer;

	final ObjectKey key;

	final String uid;

	final String version;

	/** {@code null} if the object is absent since then. */
	final @Nullable StoredObject<T> object;

	/** The values of indexes by which it is found. */
	final List<String> values;

	/** When it was laid. */
	final long since;

	/** Whether the object is gone. Set before anything else sees the write. */
	boolean deletion;

	/** Whether the store does not select it. Set before anything else sees the write. */
	boolean hidden;

	/** Set before anything else sees the write. */
	@Nullable WriteWait wait;

	/** Whether a run of the writer has read it. */
	volatile boolean shown;

	LaidWrite(ObjectKey writer, ObjectKey key, String uid, String version, @Nullable StoredObject<T> object,
			List<String> values, long since) {
		this.writer = writer;
		this.key = key;
		this.uid = uid;
		this.version = version;
		this.object = object;
		this.values = values;
		this.since = since;
	}

	WriteWait until() {
		return Objects.requireNonNull(this.wait);
	}

	/**
	 * Returns whether another write is an earlier one, whose answer came late: nothing is
	 * written to an object that is gone, nor to one that is older.
	 * @param other a write to the same key
	 * @return whether the other one counts no more
	 */
	boolean isNewerThan(LaidWrite<T> other) {
		if (this.uid.equals(other.uid) && (this.deletion || other.deletion)) {
			return this.deletion;
		}
		return ResourceVersions.isOlder(other.version, this.version);
	}

}
