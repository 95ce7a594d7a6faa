package dev.kubeinformer.internal.transport;

/**
 * Request for a watch or a streaming list.
 *
 * @param resourceVersion the version after which changes are sent; for a streaming list,
 * the minimum version of the state; empty for the most recent one
 * @param timeoutSeconds the duration after which the server should end the watch
 * @param initialEvents whether the watch begins with the current state (KEP-3157)
 * @param patient whether the server is known to send nothing while no object changes. If
 * so, the idle timeout is longer
 */
public record WatchRequest(String resourceVersion, int timeoutSeconds, boolean initialEvents, boolean patient) {

}
