package dev.kubeinformer.benchmark.compare.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.util.Config;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the pods of a cluster in the encodings that it supports. */
final class UpstreamPods {

	private static final int PAGE = 500;

	private static final int ITEMS = 2;

	private final ApiClient client;

	UpstreamPods(Path kubeconfig) throws IOException {
		this.client = Config.fromConfig(Files.newBufferedReader(kubeconfig));
	}

	/**
	 * Reads the first pods.
	 * @param count the number of pods
	 * @return the pods in each encoding, prepared for changes
	 * @throws IllegalStateException if there are fewer
	 */
	ReplayedPods read(int count) {
		Map<Encoding, List<byte[]>> all = new EnumMap<>(Encoding.class);
		for (Encoding encoding : Encoding.values()) {
			List<byte[]> pods = new ArrayList<>();
			String next = "";
			do {
				next = page(encoding, next, count, pods);
			}
			while (next != null && !next.isEmpty() && pods.size() < count);
			if (next == null) {
				continue;
			}
			if (pods.size() < count) {
				throw new IllegalStateException(
						"%d pods are to be replayed, but the cluster has only %d".formatted(count, pods.size()));
			}
			all.put(encoding, pods);
		}
		return new ReplayedPods(all);
	}

	/**
	 * Reads a page.
	 * @param encoding the encoding
	 * @param from the continue token
	 * @param count the total number of wanted pods
	 * @param pods the list to which the pods are added
	 * @return the next token; null if the server does not support the encoding
	 */
	private @Nullable String page(Encoding encoding, String from, int count, List<byte[]> pods) {
		try (Response response = get(encoding, from)) {
			byte[] body = response.body().bytes();
			if (!response.isSuccessful()) {
				throw new IllegalStateException("The response to the list of pods was HTTP " + response.code());
			}
			boolean spoken = response.header("Content-Type", "").startsWith(encoding.contentType(false));
			if (!spoken) {
				return null;
			}
			return (encoding == Encoding.JSON) ? json(body, count, pods) : protobuf(body, count, pods);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Response get(Encoding encoding, String from) throws IOException {
		List<Pair> query = List.of(new Pair("limit", Integer.toString(PAGE)), new Pair("continue", from));
		Map<String, String> headers = new HashMap<>();
		headers.put("Accept", encoding.contentType(false) + ", application/json");
		try {
			return this.client
				.buildCall(this.client.getBasePath(), "/api/v1/pods", "GET", query, List.of(), null, headers,
						new HashMap<>(), new HashMap<>(), new String[] { "BearerToken" }, null)
				.execute();
		}
		catch (ApiException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String json(byte[] body, int count, List<byte[]> pods) {
		JsonNode list = JsonMapper.shared().readTree(body);
		for (JsonNode item : list.get("items")) {
			if (pods.size() < count) {
				pods.add(Encoding.JSON.prepare(JsonMapper.shared().writeValueAsBytes(item)));
			}
		}
		return list.get("metadata").path("continue").asString("");
	}

	private static String protobuf(byte[] body, int count, List<byte[]> pods) {
		String next = "";
		Protobuf.Fields fields = new Protobuf.Fields(Protobuf.message(body));
		while (fields.next()) {
			if (fields.number() == 1) {
				next = token(fields.value());
			}
			else if (fields.number() == ITEMS && pods.size() < count) {
				pods.add(Encoding.PROTOBUF.prepare(fields.value()));
			}
		}
		return next;
	}

	private static String token(byte[] metadata) {
		Protobuf.Fields fields = new Protobuf.Fields(metadata);
		while (fields.next()) {
			if (fields.number() == 3) {
				return new String(fields.value(), StandardCharsets.UTF_8);
			}
		}
		return "";
	}

}
