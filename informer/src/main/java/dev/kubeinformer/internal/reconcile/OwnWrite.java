package dev.kubeinformer.internal.reconcile;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.WriteWait;
import dev.kubeinformer.types.ObjectKey;

/**
 * Write that a cache is to show. Guarded by the lock of {@link OwnWrites}.
 */
final class OwnWrite {

	final ObjectKey primary;

	final Place place;

	/** The newest version that the cache must not be older than. */
	final String version;

	/** When it was recorded, by the clock of {@link OwnWrites}. */
	final long recorded;

	/** What waits at the store; set before anything else sees the write. */
	@Nullable WriteWait wait;

	/** Runs when it is seen; {@code null} while no key is parked. */
	@Nullable Runnable arrived;

	/** The later write that took its place. */
	@Nullable OwnWrite successor;

	boolean ended;

	OwnWrite(ObjectKey primary, Place place, String version, long recorded) {
		this.primary = primary;
		this.place = place;
		this.version = version;
		this.recorded = recorded;
	}

	/**
	 * Returns the write that is awaited for this one.
	 * @return the last of those that took its place, or itself
	 */
	OwnWrite latest() {
		OwnWrite latest = this;
		while (latest.successor != null) {
			latest = latest.successor;
		}
		return latest;
	}

	/**
	 * Object that a source shows.
	 *
	 * @param source the source
	 * @param key the object
	 */
	record Place(OwnWriteSource source, ObjectKey key) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Place that && this.source == that.source && this.key.equals(that.key);
		}

		@Override
		public int hashCode() {
			return this.key.hashCode();
		}

	}

}
