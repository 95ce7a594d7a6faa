package dev.kubeinformer.test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.kubeinformer.test.internal.server.ApiServer;

/**
 * Server whose requests and watches a test observes. What it waits for in vain fails with
 * a message that names what there was instead.
 */
public abstract sealed class ObservedServer permits EmbeddedKubernetes {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	// So many say enough in a message.
	private static final int NAMED_REQUESTS = 20;

	private final ApiServer server;

	ObservedServer(ApiServer server) {
		this.server = server;
	}

	final ApiServer server() {
		return this.server;
	}

	/**
	 * Returns the requests that were answered over HTTP, of very many the newest.
	 * @return the requests in the order of their answers; a watch is there from its
	 * beginning on, and a request that a fault freezes as well
	 * @see EmbeddedKubernetes.Builder#requestLimit(int)
	 */
	public final List<RecordedRequest> requests() {
		return RecordedRequest.of(this.server.requests().requests());
	}

	/**
	 * Returns how many requests are missing in {@link #requests()} because there were too
	 * many.
	 * @return the number of requests
	 */
	public final long droppedRequests() {
		return this.server.requests().dropped();
	}

	/**
	 * Waits for a request.
	 * @param pattern the request, mostly one of {@link Requests}
	 * @param timeout how long to wait at most
	 * @return the first one in {@link #requests()} that matches, which may be there
	 * already
	 * @throws AssertionError if there is none in time; its message names the requests
	 * that were seen
	 */
	public final RecordedRequest awaitRequest(Predicate<? super RecordedRequest> pattern, Duration timeout) {
		this.server.await(() -> find(pattern).isPresent(), timeout);
		return find(pattern)
			.orElseThrow(() -> new AssertionError("There was no %s within %s, but %s".formatted(describe(pattern),
					timeout, describe(requests(), "there were the requests", "no request at all"))));
	}

	/**
	 * Waits up to ten seconds until exactly so many watches are open.
	 * @param count the number of watches
	 * @throws AssertionError if there are more or fewer; its message names them
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
	 * Returns how many watches are open. A client that closes its connection is noticed
	 * within a moment.
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
