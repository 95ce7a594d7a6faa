package dev.kubeinformer.internal.store;

import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Identity of an object that the server has deleted.
 *
 * @param key the key
 * @param uid the UID, empty if unknown
 * @param resourceVersion the version of the deletion, empty if unknown
 */
public record DeletedObject(ObjectKey key, String uid, String resourceVersion) {

	/**
	 * Returns whether the deletion concerns an earlier object than a given one of the
	 * same key. A lower version alone does not prove this, because a deletion may have
	 * the version of the object's last change (kubernetes#58545). The UID must differ,
	 * too.
	 * @param successorUid the UID of the given object, empty if unknown
	 * @param successorVersion the version of the given object, empty if unknown
	 * @return {@code true} if the deletion is provably older and has another UID
	 */
	public boolean isOfAPredecessorOf(String successorUid, String successorVersion) {
		return !this.uid.isEmpty() && !this.uid.equals(successorUid)
				&& ResourceVersions.isOlder(this.resourceVersion, successorVersion);
	}

}
