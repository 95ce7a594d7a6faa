package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.util.Config;
import okhttp3.Response;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * State of a server according to a plain list, page by page and without the compared
 * clients. Only the metadata of each object is read, if the server supports that.
 */
final class ServerState {

	private static final int PAGE = 5000;

	private static final String METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
			+ "application/json";

	private final ApiClient client;

	private final String path;

	private final int page;

	/**
	 * Reads from a cluster.
	 * @param kubeconfig the kubeconfig of the cluster
	 * @param path the path of the collection
	 * @throws IOException if the file cannot be read
	 */
	ServerState(Path kubeconfig, String path) throws IOException {
		this(kubeconfig, path, PAGE);
	}

	/**
	 * Reads from a cluster in pages of a given size.
	 * @param kubeconfig the kubeconfig of the cluster
	 * @param path the path of the collection
	 * @param page the number of objects of a page
	 * @throws IOException if the file cannot be read
	 */
	ServerState(Path kubeconfig, String path, int page) throws IOException {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			this.client = Config.fromConfig(reader);
		}
		this.client.setReadTimeout(0);
		this.path = path;
		this.page = page;
	}

	/**
	 * Reads all objects.
	 * @return the current state
	 * @throws IOException if they cannot be read
	 */
	ObjectsState read() throws IOException {
		ObjectsState state = ObjectsState.EMPTY;
		String next = "";
		do {
			try (Response response = get(next, this.page)) {
				checkSuccess(response);
				Page page = new Page(state);
				page.read(Objects.requireNonNull(response.body()).byteStream());
				state = page.state;
				next = page.next;
			}
		}
		while (!next.isEmpty());
		return state;
	}

	/**
	 * Counts the objects, without reading them.
	 * @return the number
	 * @throws IOException if they cannot be counted
	 */
	long count() throws IOException {
		try (Response response = get("", 1)) {
			checkSuccess(response);
			JsonNode list = JsonMapper.shared().readTree(Objects.requireNonNull(response.body()).byteStream());
			return list.path("items").size() + list.at("/metadata/remainingItemCount").asLong(0);
		}
	}

	private void checkSuccess(Response response) throws IOException {
		if (!response.isSuccessful()) {
			throw new IOException("The response to the list of %s was HTTP %d".formatted(this.path, response.code()));
		}
	}

	private Response get(String from, int limit) throws IOException {
		List<Pair> query = List.of(new Pair("limit", Integer.toString(limit)), new Pair("continue", from));
		Map<String, String> headers = new HashMap<>(Map.of("Accept", METADATA));
		try {
			return this.client
				.buildCall(this.client.getBasePath(), this.path, "GET", query, List.of(), null, headers,
						new HashMap<>(), new HashMap<>(), new String[] { "BearerToken" }, null)
				.execute();
		}
		catch (ApiException ex) {
			throw new IOException(ex);
		}
	}

	/** Page whose objects are not kept. */
	private static final class Page {

		private ObjectsState state;

		private String next = "";

		Page(ObjectsState before) {
			this.state = before;
		}

		void read(InputStream body) {
			try (JsonParser json = JsonMapper.shared().createParser(body)) {
				json.nextToken();
				for (String field = json.nextName(); field != null; field = json.nextName()) {
					json.nextToken();
					switch (field) {
						case "metadata" -> this.next = text(json, "continue")[0];
						case "items" -> items(json);
						default -> json.skipChildren();
					}
				}
			}
		}

		private void items(JsonParser json) {
			if (json.currentToken() != JsonToken.START_ARRAY) {
				return;
			}
			while (json.nextToken() == JsonToken.START_OBJECT) {
				for (String field = json.nextName(); field != null; field = json.nextName()) {
					json.nextToken();
					if (field.equals("metadata")) {
						String[] values = text(json, "namespace", "name", "resourceVersion");
						this.state = this.state.with(ObjectsState.hash(values[0], values[1], values[2]));
					}
					else {
						json.skipChildren();
					}
				}
			}
		}

		// Returns string fields of an object; empty if they are missing.
		private static String[] text(JsonParser json, String... names) {
			String[] values = new String[names.length];
			Arrays.fill(values, "");
			for (String field = json.nextName(); field != null; field = json.nextName()) {
				JsonToken token = json.nextToken();
				int index = List.of(names).indexOf(field);
				if (index >= 0 && token == JsonToken.VALUE_STRING) {
					values[index] = json.getString();
				}
				else {
					json.skipChildren();
				}
			}
			return values;
		}

	}

}
