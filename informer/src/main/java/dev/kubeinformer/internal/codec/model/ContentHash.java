package dev.kubeinformer.internal.codec.model;

/**
 * Hash of an object's content, which distinguishes two states of it.
 *
 * @param high one half
 * @param low the other half
 */
public record ContentHash(long high, long low) {

}
