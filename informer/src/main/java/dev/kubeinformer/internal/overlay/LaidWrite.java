package dev.kubeinformer.internal.overlay;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.WriteWait;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Outcome of a write in an overlay. Compared by identity.
 *
 * @param <T> the model class
 */
final class LaidWrite<T> {

	/** Key of the run that wrote last. */
	final ObjectKey writer;

	final ObjectKey key;

	final String uid;

	final String version;

	/** Written object; {@code null} if it is absent since the write. */
	final @Nullable StoredObject<T> object;

	/** Index values by which the object is found. */
	final List<String> values;

	/** Time at which the write was added. */
	final long since;

	/** Whether the object was deleted. Set before other threads see the write. */
	boolean deletion;

	/**
	 * Whether the store does not select the object. Set before other threads see the
	 * write.
	 */
	boolean hidden;

	/** Wait for the store; set before other threads see the write. */
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
	 * Returns whether another write is an earlier one, whose response arrived late: a
	 * deleted object cannot be written, nor can an older version.
	 * @param other a write to the same key
	 * @return {@code true} if the other one no longer counts
	 */
	boolean isNewerThan(LaidWrite<T> other) {
		if (this.uid.equals(other.uid) && (this.deletion || other.deletion)) {
			return this.deletion;
		}
		return ResourceVersions.isOlder(other.version, this.version);
	}

}
