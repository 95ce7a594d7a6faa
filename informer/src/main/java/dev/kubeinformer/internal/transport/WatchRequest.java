package dev.kubeinformer.internal.transport;

/**
 * Request for a watch or a streaming list.
 *
 * @param resourceVersion the version after which changes are wanted; of a streaming list,
 * the version that it must have reached; empty for the most recent one
 * @param timeoutSeconds after how long the server shall end the watch
 * @param initialEvents whether the watch begins with the present state (KEP-3157)
 * @param patient whether the server is known to be silent when nothing happens, so that
 * silence is borne for longer
 */
public record WatchRequest(String resourceVersion, int timeoutSeconds, boolean initialEvents, boolean patient) {

}
