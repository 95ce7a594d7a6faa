package dev.kubeinformer.internal.codec;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Cached objects that are compared with the objects of a list while the list is read. A
 * listed object that is cached in the same version is not decoded again. Only the thread
 * that reads the list uses this.
 */
public interface KnownObjects {

	/**
	 * Returns whether a listed object is cached in the same version. If so, the cached
	 * object is included: it becomes part of the new content of the cache.
	 * @param identity the identity; the instance is reused for the next object
	 * @return {@code true} if the object need not be decoded
	 */
	boolean include(ObjectIdentity identity);

	/**
	 * Returns the test that decides whether a listed object is dropped, for example
	 * because it belongs to another shard. The test sees only the identity of the object.
	 * The rest of a dropped object need not be parsed.
	 * @return the test, which also records the dropped objects; {@code null} to drop no
	 * objects
	 */
	default @Nullable Predicate<ObjectIdentity> dropped() {
		return null;
	}

	/**
	 * Called when another version of an object was read from the list. If this object was
	 * {@linkplain #include included} before, it is removed again, unless the version that
	 * was read is older.
	 * @param metadata the identity, with the other version
	 */
	void exclude(ObjectMetadata metadata);

	/**
	 * Called when an object was deleted while the list was sent. If this object was
	 * {@linkplain #include included} before, it is removed again. The deletion of an
	 * earlier object of the same name has no effect.
	 * @param metadata the identity of the deleted object
	 */
	default void deleted(ObjectMetadata metadata) {
		exclude(metadata);
	}

	/**
	 * Returns the number of objects that are {@linkplain #include included}.
	 * @return the number
	 */
	int size();

}
