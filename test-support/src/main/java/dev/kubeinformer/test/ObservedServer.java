package dev.kubeinformer.test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.kubeinformer.test.internal.server.ApiServer;

/**
 * Server whose requests and watches a test can observe. If a wait for a request or for
 * watches times out, the exception lists those that the server has received.
 */
public abstract sealed class ObservedServer permits EmbeddedKubernetes {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	// Maximum number of requests in a message.
	private static final int NAMED_REQUESTS = 20;

	private final ApiServer server;

	ObservedServer(ApiServer server) {
		this.server = server;
	}

	final ApiServer server() {
		return this.server;
	}

	/**
	 * Returns the newest HTTP requests, up to a limit. A request is listed once its
	 * response has started or its connection was closed.
	 * @return the requests in the order of their responses; a request that a fault holds
	 * is listed from its start
	 * @see EmbeddedKubernetes.Builder#requestLimit(int)
	 */
	public final List<RecordedRequest> requests() {
		return RecordedRequest.of(this.server.requests().requests());
	}

	/**
	 * Returns the number of requests that are missing in {@link #requests()} because of
	 * the limit.
	 * @return the number of requests
	 */
	public final long droppedRequests() {
		return this.server.requests().dropped();
	}

	/**
	 * Waits for a request.
	 * @param pattern the request, mostly one of {@link Requests}
	 * @param timeout the maximum time to wait
	 * @return the first matching request in {@link #requests()}, which may already exist
	 * @throws AssertionError if no request matches in time; the message lists the
	 * requests
	 */
	public final RecordedRequest awaitRequest(Predicate<? super RecordedRequest> pattern, Duration timeout) {
		this.server.await(() -> find(pattern).isPresent(), timeout);
		return find(pattern)
			.orElseThrow(() -> new AssertionError("There was no %s within %s, but %s".formatted(describe(pattern),
					timeout, describe(requests(), "there were the requests", "no request at all"))));
	}

	/**
	 * Waits up to ten seconds until exactly the given number of watches is open.
	 * @param count the number of watches
	 * @throws AssertionError if there are more or fewer; the message lists the open
	 * watches
	 */
	public final void awaitWatches(int count) {
		if (!this.server.await(() -> openWatches() == count, PATIENCE)) {
			throw new AssertionError("There should be %d open watches, but after %s %s".formatted(count, PATIENCE,
					describe(RecordedRequest.of(this.server.watches().open()), "there are", "there is none")));
		}
	}

	/**
	 * Clears the requests so far.
	 */
	public final void clearRequests() {
		this.server.requests().clear();
	}

	/**
	 * Returns the number of open watches. A watch whose client has closed the connection
	 * still counts for a short time.
	 * @return the number of watches
	 */
	public final int openWatches() {
		return this.server.watches().open().size();
	}

	private Optional<RecordedRequest> find(Predicate<? super RecordedRequest> pattern) {
		return requests().stream().filter(pattern).findFirst();
	}

	private static String describe(Predicate<? super RecordedRequest> pattern) {
		return (pattern instanceof RequestPattern) ? pattern.toString() : "request that matches";
	}

	private static String describe(List<RecordedRequest> requests, String some, String none) {
		if (requests.isEmpty()) {
			return none;
		}
		return requests.stream()
			.skip(Math.max(0, requests.size() - NAMED_REQUESTS))
			.map(RecordedRequest::line)
			.collect(Collectors.joining("\n  ", some + ":\n  ", ""));
	}

}
