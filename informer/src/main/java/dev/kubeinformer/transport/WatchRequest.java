package dev.kubeinformer.transport;

/**
 * A request for a watch.
 *
 * @param resourceVersion the version after which changes are wanted
 * @param timeoutSeconds after how long the server shall end the watch
 */
public record WatchRequest(String resourceVersion, int timeoutSeconds) {

}
