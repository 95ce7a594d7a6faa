package dev.kubeinformer.internal.store;

import dev.kubeinformer.types.ObjectKey;

/**
 * Identity of an object that the server has deleted.
 *
 * @param key the key
 * @param uid the UID, empty if unknown
 * @param resourceVersion the version of the deletion, empty if unknown
 */
public record DeletedObject(ObjectKey key, String uid, String resourceVersion) {

}
