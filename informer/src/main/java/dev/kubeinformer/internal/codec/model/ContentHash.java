package dev.kubeinformer.internal.codec.model;

/**
 * Hash of what an object holds, by which two states of it are told apart.
 *
 * @param high one half
 * @param low the other half
 */
public record ContentHash(long high, long low) {

}
