package dev.kubeinformer.internal.codec.model;

/**
 * Hash of an object's content. It shows whether two states of an object differ.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record ContentHash(long high, long low) {

}
