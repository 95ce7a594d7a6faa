package dev.kubeinformer.internal.transport;

/**
 * Request for a page of a list.
 *
 * @param resourceVersion the requested version; empty for the most recent one
 * @param limit the number of items of a page; 0 for all
 * @param continueToken the token that came with the previous page; empty for the first
 * page. If there is a token, {@code resourceVersion} is not sent
 */
public record ListRequest(String resourceVersion, int limit, String continueToken) {

}
