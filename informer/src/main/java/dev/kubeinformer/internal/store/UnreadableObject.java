package dev.kubeinformer.internal.store;

import dev.kubeinformer.types.ObjectKey;

/**
 * Identity of an object that the server has and that could not be read.
 *
 * @param key the key
 * @param uid the UID, empty if unknown
 */
public record UnreadableObject(ObjectKey key, String uid) {

}
