package dev.kubeinformer.internal.codec;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Cached objects, for reading a full state from a list. A listed object that is cached in
 * the same version is not decoded again. Only the thread that reads the list uses this.
 */
public interface KnownObjects {

	/**
	 * Returns whether an object is cached in the version that was read. If so, the cached
	 * object is included in the full state.
	 * @param identity the identity; the instance is reused for the next object
	 * @return {@code true} if it need not be decoded
	 */
	boolean include(ObjectIdentity identity);

	/**
	 * Returns the test for objects that are dropped because of their identity, for
	 * example those of other shards. The rest of such an object need not be parsed. For
	 * other objects the test has no effect.
	 * @return the test, which records the dropped objects; {@code null} if no objects are
	 * dropped
	 */
	default @Nullable Predicate<ObjectIdentity> dropped() {
		return null;
	}

	/**
	 * Called when another version of an object was read. If the object was included in
	 * its cached version, it is removed from the full state. A version older than the
	 * cached one has no effect.
	 * @param metadata the identity, with the other version
	 */
	void exclude(ObjectMetadata metadata);

	/**
	 * Called when an object was deleted while the full state was sent. If the object was
	 * included in its cached version, it is removed from the full state. The deletion of
	 * an earlier object of the same name has no effect.
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
