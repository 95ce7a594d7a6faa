package dev.kubeinformer.internal.transport;

/**
 * Request for a page of a list.
 *
 * @param resourceVersion the version asked for; empty for the most recent one
 * @param limit the number of items of a page; 0 for all
 * @param continueToken the token of the page before; empty for the first page. With a
 * token, no resourceVersion is sent
 */
public record ListRequest(String resourceVersion, int limit, String continueToken) {

}
