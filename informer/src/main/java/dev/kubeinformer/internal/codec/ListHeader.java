package dev.kubeinformer.internal.codec;

/**
 * Content of a page of a list beside its items.
 *
 * @param resourceVersion the version of the list; empty if it has none
 * @param continueToken the token of the next page; empty on the last one
 */
public record ListHeader(String resourceVersion, String continueToken) {

}
