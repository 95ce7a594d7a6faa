package dev.kubeinformer.spring.autoconfigure.definitions;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Requests for single CustomResourceDefinitions with the client of a cluster.
 */
final class DefinitionRequests {

	/**
	 * Common field manager of all applications, so that two applications with the same
	 * kind do not conflict.
	 */
	static final String FIELD_MANAGER = "kubernetes-informer-definitions";

	private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	// The media type is YAML, and JSON is valid YAML.
	private static final MediaType APPLY = MediaType.get("application/apply-patch+yaml");

	/** Maximum length of a response in bytes, more than etcd stores in one object. */
	private static final long MOST_BYTES = 10_000_000;

	private static final JsonMapper MAPPER = new JsonMapper();

	private final ApiClient client;

	DefinitionRequests(ApiClient client) {
		this.client = client;
	}

	Answer get(String name, Duration timeout) throws IOException {
		return send(request("GET", name, List.of(), null), timeout);
	}

	/**
	 * Applies a definition by server-side apply. Takes over the fields of other managers,
	 * because the complete definition has been compared. If it has a resource version,
	 * the apply succeeds only if the definition in the cluster has the same version.
	 * @param name the name of the definition
	 * @param definition the definition
	 * @param timeout the time limit
	 * @return the response
	 * @throws IOException if the API server does not respond
	 */
	Answer apply(String name, String definition, Duration timeout) throws IOException {
		List<Pair> query = List.of(new Pair("fieldManager", FIELD_MANAGER), new Pair("force", "true"));
		return send(
				request("PATCH", name, query, RequestBody.create(definition.getBytes(StandardCharsets.UTF_8), APPLY)),
				timeout);
	}

	private Request request(String method, String name, List<Pair> query, @Nullable RequestBody body)
			throws IOException {
		try {
			Request request = this.client.buildRequest(null, PATH + name, "GET", query, List.of(), null,
					new HashMap<>(Map.of("Accept", "application/json")), new HashMap<>(), new HashMap<>(),
					AUTHENTICATIONS, null);
			return (body != null) ? request.newBuilder().method(method, body).build() : request;
		}
		catch (ApiException ex) {
			throw new IOException("the client could not build the request", ex);
		}
	}

	private Answer send(Request request, Duration timeout) throws IOException {
		try (Response response = this.client.getHttpClient()
			.newBuilder()
			.callTimeout(timeout)
			.readTimeout(timeout)
			.build()
			.newCall(request)
			.execute()) {
			return new Answer(response.code(), response.peekBody(MOST_BYTES).string(), response.headers("Warning"));
		}
	}

	/**
	 * Response of the API server.
	 *
	 * @param code the status code
	 * @param body the body
	 * @param warnings the values of the {@code Warning} header
	 */
	record Answer(int code, String body, List<String> warnings) {

		boolean isSuccessful() {
			return this.code / 100 == 2;
		}

		boolean isNotFound() {
			return this.code == HttpURLConnection.HTTP_NOT_FOUND;
		}

		/**
		 * Returns whether the same request may succeed later.
		 * @return {@code true} if another attempt makes sense
		 */
		boolean isTransient() {
			return this.code == 429 || this.code / 100 == 5;
		}

		/**
		 * Returns whether the definition in the cluster has changed since it was
		 * compared.
		 * @return {@code true} if the API server reports a conflict
		 */
		boolean isConflict() {
			return this.code == HttpURLConnection.HTTP_CONFLICT;
		}

		boolean isBeingDeleted() {
			return !tree().path("metadata").path("deletionTimestamp").isMissingNode();
		}

		/**
		 * Returns whether an application has ever applied the definition at its start.
		 * @return {@code true} if the field manager of all applications has applied it
		 */
		boolean isApplied() {
			for (JsonNode entry : tree().path("metadata").path("managedFields")) {
				if (entry.path("manager").asString("").equals(FIELD_MANAGER)
						&& entry.path("operation").asString("").equals("Apply")) {
					return true;
				}
			}
			return false;
		}

		@Nullable String resourceVersion() {
			String version = tree().path("metadata").path("resourceVersion").asString("");
			return (isNotFound() || version.isEmpty()) ? null : version;
		}

		JsonNode tree() {
			try {
				return MAPPER.readTree(this.body);
			}
			catch (JacksonException ex) {
				return MissingNode.getInstance();
			}
		}

		/**
		 * Returns the reason of a rejection in the words of the API server.
		 * @return the status code and the message
		 */
		String problem() {
			String message = tree().path("message").asString("");
			return message.isEmpty() ? "HTTP %d".formatted(this.code) : "HTTP %d: %s".formatted(this.code, message);
		}

		/**
		 * Returns a condition of the definition.
		 * @param type the type of the condition
		 * @return the condition; a missing node if there is none
		 */
		JsonNode condition(String type) {
			for (JsonNode condition : tree().path("status").path("conditions")) {
				if (condition.path("type").asString("").equals(type)) {
					return condition;
				}
			}
			return MissingNode.getInstance();
		}

	}

}
