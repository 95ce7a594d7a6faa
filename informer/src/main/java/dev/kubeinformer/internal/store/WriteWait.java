package dev.kubeinformer.internal.store;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Wait for a store to show a write, which blocks no thread. It is compared by identity.
 * <p>
 * An object is seen when the store holds it in the version of the write or a newer one,
 * or when the partition has that version. A deletion is seen when the store holds no
 * object of that UID, or one with a deletionTimestamp; a version says what the partition
 * must not be older than, so that the deletion of an object is not taken as seen before
 * its creation is.
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

	/** Tells waits of one version apart; 0 while it does not wait. */
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
	 * @param hidden whether the object may be none that the store selects, so that its
	 * absence counts as seen
	 * @param seen runs once, under the store's lock: it must neither block nor call user
	 * code
	 * @return the wait
	 */
	public static WriteWait written(String partition, ObjectKey key, String version, boolean hidden, Runnable seen) {
		return new WriteWait(partition, key, "", version, false, hidden, seen);
	}

	/**
	 * Creates a wait for a deletion.
	 * @param partition the partition that held the object
	 * @param key the object
	 * @param uid the UID of the object; empty if any object of the key shall be gone
	 * @param version a version that the partition must not be older than; empty if none
	 * is known
	 * @param hidden whether the object may be none that the store selects, so that its
	 * absence counts as seen
	 * @param seen runs once, under the store's lock: it must neither block nor call user
	 * code
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
	 * @return whether it does
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
