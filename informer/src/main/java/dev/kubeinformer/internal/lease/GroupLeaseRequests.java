package dev.kubeinformer.internal.lease;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.Pair;

import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.codec.json.LeaseListDocument;
import dev.kubeinformer.internal.codec.json.LeaseWatchEvent;
import dev.kubeinformer.internal.failure.ApiStatusException;

/**
 * Sends requests for the Leases with a label, over dedicated connections. A read shows
 * all writes that got a response before the read was sent. Safe for use by several
 * threads.
 */
public final class GroupLeaseRequests implements Closeable {

	private final LeaseCalls calls;

	private final Pair selection;

	/**
	 * Creates the sender of requests. Does not connect yet.
	 * @param apiClient the client of the application
	 * @param namespace the namespace of the Leases
	 * @param selector the label selector
	 * @param timeout the longest duration of a request other than a watch
	 * @param threads runs the requests; the caller waits no longer than the timeout for
	 * each
	 * @param warnings receives the warnings of responses, escaped and shortened
	 */
	public GroupLeaseRequests(ApiClient apiClient, String namespace, String selector, Duration timeout,
			ExecutorService threads, Consumer<String> warnings) {
		this.calls = new LeaseCalls(apiClient, namespace, timeout, threads, warnings);
		this.selection = new Pair("labelSelector", selector);
	}

	/**
	 * Reads a Lease.
	 * @param name the name of the Lease
	 * @return the Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument get(String name) throws IOException {
		return this.calls.send("GET", this.calls.path(name), List.of(), null, LeaseDocument::read);
	}

	/**
	 * Lists all Leases, from etcd and in one response, because the query has neither a
	 * version nor a limit.
	 * @return the Leases
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseListDocument list() throws IOException {
		return this.calls.send("GET", this.calls.path(), List.of(this.selection), null, LeaseListDocument::read);
	}

	/**
	 * Creates a Lease.
	 * @param lease the Lease
	 * @return the stored Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument create(LeaseDocument lease) throws IOException {
		return this.calls.send("POST", this.calls.path(), List.of(), lease.write(), LeaseDocument::read);
	}

	/**
	 * Updates a Lease if its version has not changed.
	 * @param lease the Lease with the version that was read
	 * @return the stored Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument update(LeaseDocument lease) throws IOException {
		return this.calls.send("PUT", this.calls.path(lease.name()), List.of(), lease.write(), LeaseDocument::read);
	}

	/**
	 * Deletes a Lease if its version has not changed.
	 * @param name the name of the Lease
	 * @param resourceVersion the version that was read
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public void delete(String name, String resourceVersion) throws IOException {
		this.calls.send("DELETE", this.calls.path(name), List.of(), LeaseDocument.deleteOptions(resourceVersion),
				(body) -> true);
	}

	/**
	 * Watches the Leases. Returns when the API server ends the watch.
	 * @param resourceVersion the version after which events are wanted
	 * @param limit the longest duration of the watch
	 * @param events receives each event
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if the watch fails
	 */
	public void watch(String resourceVersion, Duration limit, Consumer<LeaseWatchEvent> events) throws IOException {
		this.calls.watch(
				List.of(this.selection, new Pair("resourceVersion", resourceVersion),
						new Pair("allowWatchBookmarks", "true")),
				limit, (json) -> events.accept(LeaseWatchEvent.read(json)));
	}

	/** Ends the current watch, if there is one. */
	public void endWatch() {
		this.calls.endWatch();
	}

	/** Ends the watch and rejects further requests. */
	@Override
	public void close() {
		this.calls.close();
	}

}
