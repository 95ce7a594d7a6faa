package dev.kubeinformer.test;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * A plain HTTP client for what the official one hides.
 */
final class TestClient {

	private final HttpClient client;

	private final String url;

	TestClient(String url) {
		this(url, HttpClient.Version.HTTP_1_1);
	}

	TestClient(String url, HttpClient.Version version) {
		this.client = HttpClient.newBuilder().version(version).connectTimeout(Duration.ofSeconds(5)).build();
		this.url = url;
		if (version == HttpClient.Version.HTTP_2) {
			// Without TLS the first request is an upgrade, and a reset of that very
			// stream gets lost now and then, which no other client would see.
			get("/readyz");
		}
	}

	HttpResponse<String> send(String method, String path, String body, String... headers) {
		HttpRequest.BodyPublisher publisher = (body.isEmpty()) ? HttpRequest.BodyPublishers.noBody()
				: HttpRequest.BodyPublishers.ofString(body);
		HttpRequest.Builder request = request(path).method(method, publisher);
		if (!body.isEmpty() && headers.length == 0) {
			request.header("Content-Type", "application/json");
		}
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, "", headers);
	}

	JsonNode json(String path) {
		return Json.readObject(get(path).body());
	}

	static ObjectNode json(HttpResponse<String> response) {
		return Json.readObject(response.body());
	}

	static List<String> names(JsonNode list) {
		return StreamSupport.stream(list.path("items").spliterator(), false)
			.map((item) -> item.path("metadata").path("name").asString())
			.toList();
	}

	TestWatch watch(String path) {
		TestWatch watch = new TestWatch();
		this.client.sendAsync(request(path).build(), watch).whenComplete(watch::completed);
		return watch;
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.url + path)).timeout(Duration.ofSeconds(30));
	}

}
