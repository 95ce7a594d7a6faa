package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lines of a watch response as they come.
 */
final class TestWatch implements HttpResponse.BodyHandler<Void>, Flow.Subscriber<String>, AutoCloseable {

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private final CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();

	private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

	private final CompletableFuture<Integer> status = new CompletableFuture<>();

	@Override
	public BodySubscriber<Void> apply(HttpResponse.ResponseInfo info) {
		this.status.complete(info.statusCode());
		return HttpResponse.BodySubscribers.fromLineSubscriber(this);
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		this.subscription.complete(given);
		given.request(Long.MAX_VALUE);
	}

	@Override
	public void onNext(String line) {
		this.lines.add(line);
	}

	@Override
	public void onError(Throwable cause) {
		this.end.complete(cause);
	}

	@Override
	public void onComplete() {
		this.end.complete(null);
	}

	void completed(@Nullable HttpResponse<Void> response, @Nullable Throwable cause) {
		if (cause != null) {
			this.end.complete(cause);
			this.status.completeExceptionally(cause);
		}
	}

	int status() throws Exception {
		return this.status.get(30, TimeUnit.SECONDS);
	}

	/**
	 * Waits until the server has accepted the watch.
	 */
	TestWatch opened() throws Exception {
		assertThat(status()).isEqualTo(200);
		return this;
	}

	String line() throws InterruptedException {
		String line = this.lines.poll(30, TimeUnit.SECONDS);
		assertThat(line).as("next line of the watch").isNotNull();
		return line;
	}

	JsonNode event() throws InterruptedException {
		return Json.readObject(line());
	}

	/**
	 * Returns the next events as "TYPE name@resourceVersion".
	 */
	List<String> events(int count) throws InterruptedException {
		List<String> events = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			JsonNode event = event();
			JsonNode metadata = event.path("object").path("metadata");
			events.add(event.path("type").asString() + " " + metadata.path("name").asString("") + "@"
					+ metadata.path("resourceVersion").asString());
		}
		return events;
	}

	/**
	 * Returns the events that have come and were not returned yet.
	 */
	List<String> eventsSoFar() throws InterruptedException {
		return events(this.lines.size());
	}

	boolean isSilent() {
		return this.lines.isEmpty() && !this.end.isDone();
	}

	/**
	 * Waits for the end of the stream.
	 * @return the failure, or {@code null} if it ended in order
	 */
	@Nullable Throwable awaitEnd() throws Exception {
		return this.end.get(30, TimeUnit.SECONDS);
	}

	@Override
	public void close() {
		this.subscription.thenAccept(Flow.Subscription::cancel);
	}

}
