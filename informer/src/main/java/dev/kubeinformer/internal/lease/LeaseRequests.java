package dev.kubeinformer.internal.lease;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.Pair;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.election.LeaseRecord;
import dev.kubeinformer.internal.failure.ApiStatusException;

/**
 * Sends requests for one Lease, over dedicated connections. Safe for use by several
 * threads.
 */
public final class LeaseRequests implements Closeable {

	private final LeaseCalls calls;

	private final String namespace;

	private final String name;

	/**
	 * Creates the sender of requests. Does not connect yet.
	 * @param apiClient the client of the application
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @param timeout the longest duration of a request other than a watch
	 * @param threads runs the requests; the caller waits no longer than the timeout for
	 * each
	 * @param warnings receives the warnings of responses, escaped and shortened
	 */
	public LeaseRequests(ApiClient apiClient, String namespace, String name, Duration timeout, ExecutorService threads,
			Consumer<String> warnings) {
		this.calls = new LeaseCalls(apiClient, namespace, timeout, threads, warnings);
		this.namespace = namespace;
		this.name = name;
	}

	/**
	 * Reads the Lease.
	 * @return the Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument get() throws IOException {
		return this.calls.send("GET", this.calls.path(this.name), List.of(), null, LeaseDocument::read);
	}

	/**
	 * Creates the Lease.
	 * @param record the election record
	 * @return the stored Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument create(LeaseRecord record) throws IOException {
		return this.calls.send("POST", this.calls.path(), List.of(),
				LeaseDocument.of(this.namespace, this.name).with(record).write(), LeaseDocument::read);
	}

	/**
	 * Updates the Lease if it has not changed since it was read.
	 * @param lease the Lease as it was read
	 * @param record the election record
	 * @return the stored Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument update(LeaseDocument lease, LeaseRecord record) throws IOException {
		return this.calls.send("PUT", this.calls.path(this.name), List.of(), lease.with(record).write(),
				LeaseDocument::read);
	}

	/**
	 * Watches the Lease. Returns when the API server ends the watch.
	 * @param limit the longest duration of the watch
	 * @param events receives the initial Lease and each change of it; {@code null} when
	 * it is deleted
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if the watch fails
	 */
	public void watch(Duration limit, Consumer<@Nullable LeaseDocument> events) throws IOException {
		this.calls.watch(List.of(new Pair("fieldSelector", "metadata.name=" + this.name)), limit,
				(json) -> events.accept(LeaseDocument.readEvent(json)));
	}

	/** Ends the watch and rejects further requests. */
	@Override
	public void close() {
		this.calls.close();
	}

}
