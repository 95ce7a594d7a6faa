package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.Authentication;
import io.kubernetes.client.util.Config;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Cluster by plain HTTP, with JSON that is neither parsed nor written. */
final class RawCluster {

	static final String JSON = "application/json";

	static final String APPLY = "application/apply-patch+yaml";

	static final String MERGE = "application/merge-patch+json";

	static final int NOT_FOUND = 404;

	static final int CONFLICT = 409;

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private final OkHttpClient http;

	private final String url;

	private final Map<String, String> headers = new HashMap<>();

	RawCluster(Path kubeconfig) throws IOException {
		ApiClient client = Config.fromConfig(Files.newBufferedReader(kubeconfig));
		this.http = client.getHttpClient();
		this.url = client.getBasePath();
		for (Authentication authentication : client.getAuthentications().values()) {
			apply(authentication);
		}
	}

	private void apply(Authentication authentication) throws IOException {
		try {
			authentication.applyToParams(new ArrayList<>(), this.headers, new HashMap<>(), "", "", null);
		}
		catch (io.kubernetes.client.openapi.ApiException ex) {
			throw new IOException("The kubeconfig's credentials cannot be used", ex);
		}
	}

	OkHttpClient http() {
		return this.http;
	}

	String url() {
		return this.url;
	}

	Map<String, String> headers() {
		return this.headers;
	}

	/**
	 * Sends a request.
	 * @param method the method
	 * @param path the path, with its query
	 * @param mediaType the type of the body
	 * @param body the body; {@code null} for none
	 * @return the response
	 * @throws IOException if there is none
	 */
	Answer send(String method, String path, String mediaType, @Nullable String body) throws IOException {
		RequestBody content = (body != null) ? RequestBody.create(body, MediaType.get(mediaType)) : null;
		Request.Builder request = new Request.Builder().url(this.url + path).method(method, content);
		this.headers.forEach(request::header);
		try (Response response = this.http.newCall(request.build()).execute()) {
			return new Answer(response.code(), Objects.requireNonNull(response.body()).string());
		}
	}

	/**
	 * Sends a request that must succeed.
	 * @param method the method
	 * @param path the path, with its query
	 * @param body the body; {@code null} for none
	 * @param accepted the codes that are accepted in addition to those of success
	 * @return the response
	 * @throws IOException if it fails
	 */
	String require(String method, String path, @Nullable String body, int... accepted) throws IOException {
		Answer answer = send(method, path, JSON, body);
		boolean fine = answer.code() < 300;
		for (int code : accepted) {
			fine |= answer.code() == code;
		}
		if (!fine) {
			throw new IOException("%s %s: HTTP %d %s".formatted(method, path, answer.code(), answer.body()));
		}
		return answer.body();
	}

	/**
	 * Lists all objects of a collection, page by page.
	 * @param path the path of the collection
	 * @return the objects
	 * @throws IOException if it fails
	 */
	List<JsonNode> list(String path) throws IOException {
		List<JsonNode> objects = new ArrayList<>();
		String next = "";
		do {
			JsonNode page = MAPPER.readTree(require("GET", path + "?limit=2000&continue=" + next, null));
			page.get("items").forEach(objects::add);
			next = page.at("/metadata/continue").asString("");
		}
		while (!next.isEmpty());
		return objects;
	}

	/**
	 * Response to a request.
	 *
	 * @param code the HTTP code
	 * @param body the body
	 */
	record Answer(int code, String body) {
	}

}
