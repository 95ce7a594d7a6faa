package dev.kubeinformer.internal.store;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Non-blocking wait for a store to show a write. Compared by identity.
 * <p>
 * A written object is seen when the store holds it in the version of the write or a newer
 * one, or when the partition has reached that version. A deletion is seen when the store
 * holds no object of that UID, or holds it with a deletionTimestamp. A minimum version of
 * the partition ensures that a deletion does not count as seen before the object's
 * creation is.
 *
 * @see ObjectStore#whenSeen(WriteWait)
 */
public final class WriteWait {

	private final String partition;

	private final ObjectKey key;

	private final String uid;

	private final String version;

	private final boolean deletion;

	private final boolean hidden;

	private final Runnable seen;

	/** Number that distinguishes waits for the same version; 0 before the wait begins. */
	private long number;

	private WriteWait(String partition, ObjectKey key, String uid, String version, boolean deletion, boolean hidden,
			Runnable seen) {
		this.partition = partition;
		this.key = key;
		this.uid = uid;
		this.version = version;
		this.deletion = deletion;
		this.hidden = hidden;
		this.seen = seen;
	}

	/**
	 * Creates a wait for an object that was created or changed.
	 * @param partition the partition that will show it
	 * @param key the object
	 * @param version the version that the API server returned
	 * @param hidden {@code true} if the store possibly does not select the object, so
	 * that its absence counts as seen, too
	 * @param seen the callback, which runs once and under the store's lock: it must
	 * neither block nor call user code
	 * @return the wait
	 */
	public static WriteWait written(String partition, ObjectKey key, String version, boolean hidden, Runnable seen) {
		return new WriteWait(partition, key, "", version, false, hidden, seen);
	}

	/**
	 * Creates a wait for a deletion.
	 * @param partition the partition that held the object
	 * @param key the object
	 * @param uid the UID of the object; empty to wait until no object of the key exists
	 * @param version the version that the partition must have reached; empty if none is
	 * known
	 * @param hidden {@code true} if the store possibly does not select the object, so
	 * that its absence counts as seen at any version of the partition
	 * @param seen the callback, which runs once and under the store's lock: it must
	 * neither block nor call user code
	 * @return the wait
	 */
	public static WriteWait deleted(String partition, ObjectKey key, String uid, String version, boolean hidden,
			Runnable seen) {
		return new WriteWait(partition, key, uid, version, true, hidden, seen);
	}

	String partition() {
		return this.partition;
	}

	ObjectKey key() {
		return this.key;
	}

	String version() {
		return this.version;
	}

	long number() {
		return this.number;
	}

	boolean isWaiting() {
		return this.number != 0;
	}

	void begin(long number) {
		this.number = number;
	}

	void end() {
		this.number = 0;
	}

	Runnable seen() {
		return this.seen;
	}

	/**
	 * Returns whether the content shows the write.
	 * @param now the content
	 * @return {@code true} if the write is visible
	 */
	public boolean isSeenBy(StoreSnapshot<?> now) {
		String present = now.resourceVersion(this.partition);
		StoredObject<?> stored = now.find(this.key.namespace(), this.key.name());
		if (this.deletion) {
			UnreadableObject unreadable = now.unreadable(this.key);
			return isGone((unreadable != null) ? unreadable.stored() : stored)
					&& (this.hidden || !ResourceVersions.isOlder(present, this.version));
		}
		return (this.hidden && stored == null) || now.hasReached(this.partition, this.key, this.version);
	}

	private boolean isGone(@Nullable StoredObject<?> stored) {
		return stored == null || (!this.uid.isEmpty() && !this.uid.equals(stored.uid())) || isDeleted(stored.object());
	}

	private static boolean isDeleted(Object object) {
		V1ObjectMeta metadata = (object instanceof KubernetesObject model) ? model.getMetadata() : null;
		return metadata != null && metadata.getDeletionTimestamp() != null;
	}

}
