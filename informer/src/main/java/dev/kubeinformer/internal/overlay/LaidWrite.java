package dev.kubeinformer.internal.overlay;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.WriteWait;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Result of a write that a {@link WriteOverlay} shows until the store shows it. Compared
 * by identity.
 *
 * @param <T> the model class
 */
final class LaidWrite<T> {

	/** Key of the run that has sent the write. */
	final ObjectKey writer;

	final ObjectKey key;

	final String uid;

	final String version;

	/**
	 * Object after the write; {@code null} if the write removes the object from the
	 * store.
	 */
	final @Nullable StoredObject<T> object;

	/** Values by which the indexes find the object. */
	final List<String> values;

	/** Time at which the write was added. */
	final long since;

	/** Whether the object was deleted. Set before other threads see the write. */
	boolean deletion;

	/**
	 * Whether the write has changed the object so that the store no longer selects it.
	 * Set before other threads see the write.
	 */
	boolean hidden;

	/** Waits until the store shows the write; set before other threads see the write. */
	@Nullable WriteWait wait;

	/** Whether a run of the key {@link #writer} has read the result of the write. */
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
	 * Returns whether this write is newer than another one of the same object, although
	 * the response to the other one arrived later. That is so if this write has deleted
	 * the object, or if the other write has an older version.
	 * @param other the other write
	 * @return {@code true} if the other write must be ignored
	 */
	boolean isNewerThan(LaidWrite<T> other) {
		if (this.uid.equals(other.uid) && (this.deletion || other.deletion)) {
			return this.deletion;
		}
		return ResourceVersions.isOlder(other.version, this.version);
	}

}
