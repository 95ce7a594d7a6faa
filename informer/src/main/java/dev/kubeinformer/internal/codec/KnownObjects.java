package dev.kubeinformer.internal.codec;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Cached objects while a full state is read. Listed objects that are cached in the same
 * version are not decoded again. Used by the reading thread.
 */
public interface KnownObjects {

	/**
	 * Returns whether an object is cached in the version that was read. Then it counts as
	 * a part of the full state.
	 * @param identity the identity, which changes when the next object is read
	 * @return {@code true} if it need not be decoded
	 */
	boolean include(ObjectIdentity identity);

	/**
	 * Returns the test for objects that are dropped by their identity alone. The rest of
	 * such an object is not parsed if that saves time. For other objects the test has no
	 * effect.
	 * @return the test, which records the dropped objects; {@code null} if no objects are
	 * dropped
	 */
	default @Nullable Predicate<ObjectIdentity> dropped() {
		return null;
	}

	/**
	 * Removes an object from the full state if it was included in its cached version,
	 * because another state of it was read. A state older than the cached one has no
	 * effect.
	 * @param metadata the identity of the other state
	 */
	void exclude(ObjectMetadata metadata);

	/**
	 * Removes an object from the full state if it was included in its cached version,
	 * because it was deleted while the full state was sent. The deletion of a predecessor
	 * has no effect.
	 * @param metadata the identity of the deleted object
	 */
	default void deleted(ObjectMetadata metadata) {
		exclude(metadata);
	}

	/**
	 * Returns the number of objects that are included in their cached version.
	 * @return the number
	 */
	int size();

}
