package dev.kubeinformer.transport;

import java.time.Duration;

import io.kubernetes.client.openapi.ApiClient;

/**
 * The connections of an {@link ApiClient}, which all informers share. The client itself
 * is not changed; deadlines go on copies of it. It may be used by several threads.
 */
public final class ApiConnections {

	private final ApiClient apiClient;

	private final Deadlines deadlines;

	private volatile HttpClients clients;

	/**
	 * Creates the connections. Nothing is connected yet.
	 * @param apiClient the client
	 * @param deadlines how long to wait for bytes
	 */
	public ApiConnections(ApiClient apiClient, Deadlines deadlines) {
		this.apiClient = apiClient;
		this.deadlines = deadlines;
		this.clients = HttpClients.of(apiClient.getHttpClient(), deadlines);
	}

	ApiClient apiClient() {
		return this.apiClient;
	}

	Deadlines deadlines() {
		return this.deadlines;
	}

	/**
	 * The clients for the next request.
	 * @return the clients
	 */
	HttpClients clients() {
		return this.clients;
	}

	/**
	 * Makes further requests over a new connection. A connection of HTTP/2 outlives a
	 * stream that was silent for too long, and may be the cause of the silence; the other
	 * streams on it are left alone.
	 * @param silent the clients of the request that was silent
	 */
	synchronized void leave(HttpClients silent) {
		// Where many were silent, the first has left for all of them.
		if (this.clients == silent) {
			this.clients = silent.onOtherConnections();
		}
	}

	/**
	 * How long to wait for bytes.
	 *
	 * @param listIdle for the next byte of a list
	 * @param watchIdle for the next byte of a watch
	 * @param watchOverrun how much longer than it was asked for a watch may last
	 */
	public record Deadlines(Duration listIdle, Duration watchIdle, Duration watchOverrun) {

	}

}
