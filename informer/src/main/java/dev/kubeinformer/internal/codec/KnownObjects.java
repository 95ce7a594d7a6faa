package dev.kubeinformer.internal.codec;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Objects that are cached while a full state is read. Those that it holds in the same
 * version are not decoded again. Used by the reading thread.
 */
public interface KnownObjects {

	/**
	 * Returns whether an object is cached in the version that was read. If so, it counts
	 * as a part of the full state.
	 * @param identity the identity, which has changed when the next object is read
	 * @return whether it need not be decoded
	 */
	boolean include(ObjectIdentity identity);

	/**
	 * Returns which objects are dropped by their identity alone, so that the rest of them
	 * is not looked at where that saves time. Others are included or read as if they had
	 * not been asked about.
	 * @return the test, which notes what it drops; {@code null} if no objects are dropped
	 */
	default @Nullable Predicate<ObjectIdentity> dropped() {
		return null;
	}

	/**
	 * Takes an object out of the full state, if it was in it as it is cached, because
	 * another state of it came. A state that is older than the cached one changes
	 * nothing.
	 * @param metadata the identity of the object in its other state
	 */
	void exclude(ObjectMetadata metadata);

	/**
	 * Takes an object out of the full state, if it was in it as it is cached, because it
	 * was deleted while the full state was sent. The deletion of a predecessor changes
	 * nothing.
	 * @param metadata the identity of the deleted object
	 */
	default void deleted(ObjectMetadata metadata) {
		exclude(metadata);
	}

	/**
	 * Returns how many objects are a part of the full state as they are cached.
	 * @return the number
	 */
	int size();

}
