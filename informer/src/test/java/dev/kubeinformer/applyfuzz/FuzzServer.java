package dev.kubeinformer.applyfuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.ApiKeyAuth;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An API server as the fuzz sees it: with a client of its own for the hands of others,
 * and clients for the operator whose writes are counted.
 */
final class FuzzServer {

	static final String MERGE = "application/merge-patch+json";

	static final String APPLY = "application/apply-patch+yaml";

	private final Supplier<ApiClient> clients;

	private final ApiClient admin;

	private final Map<String, AtomicInteger> writes = new ConcurrentHashMap<>();

	FuzzServer(Supplier<ApiClient> clients) {
		this.clients = clients;
		this.admin = clients.get();
	}

	/**
	 * A client of the operator, with connections of its own.
	 */
	ApiClient operatorClient() {
		ApiClient client = this.clients.get();
		OkHttpClient counted = client.getHttpClient().newBuilder().addInterceptor((chain) -> {
			Request request = chain.request();
			Response response = chain.proceed(request);
			if (!"GET".equals(request.method()) && response.isSuccessful()) {
				this.writes.computeIfAbsent(request.url().encodedPath(), (path) -> new AtomicInteger())
					.incrementAndGet();
			}
			return response;
		}).build();
		client.setHttpClient(counted);
		return client;
	}

	/**
	 * Returns how many writes of the operator succeeded at a path since this was asked.
	 */
	int takeWrites(String path) {
		AtomicInteger count = this.writes.remove(path);
		return (count != null) ? count.get() : 0;
	}

	Answer get(String path) {
		return send("GET", path, null, null);
	}

	Answer send(String method, String path, @Nullable String mediaType, @Nullable ObjectNode body) {
		RequestBody content = (body != null) ? RequestBody.create(body.toString().getBytes(StandardCharsets.UTF_8),
				MediaType.get((mediaType != null) ? mediaType : "application/json")) : null;
		Request.Builder request = new Request.Builder().url(this.admin.getBasePath() + path).method(method, content);
		if (this.admin.getAuthentication("BearerToken") instanceof ApiKeyAuth auth && auth.getApiKey() != null) {
			request.header("Authorization", auth.getApiKeyPrefix() + " " + auth.getApiKey());
		}
		try (Response response = this.admin.getHttpClient().newCall(request.build()).execute();
				ResponseBody answer = response.body()) {
			String text = answer.string();
			return new Answer(response.code(), text.startsWith("{") ? Trees.parse(text) : Trees.parse("{}"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Answer of the server.
	 *
	 * @param code the HTTP status
	 * @param body the body
	 */
	record Answer(int code, ObjectNode body) {

		boolean succeeded() {
			return this.code < 300;
		}

		String version() {
			return this.body.path("metadata").path("resourceVersion").asString("");
		}

	}

}
