package dev.kubeinformer.internal.codec.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether the table of merges is that of the schemas that a real kube-apiserver
 * publishes.
 */
@RequiresCluster
class AppliedFieldsClusterTests {

	private static final String MODELS = V1ObjectMeta.class.getPackageName() + ".";

	@Test
	void tableIsThatOfTheServer(Path kubeconfig) throws Exception {
		ApiClient client = ClusterSupport.client(kubeconfig);
		Map<String, String> published = new TreeMap<>();
		List<String> known = new ArrayList<>();
		for (String path : get(client, "/openapi/v3").getAsJsonObject("paths").keySet()) {
			if (path.matches("api/v1|apis/[^/]+/[^/]+")) {
				JsonObject schemas = get(client, "/openapi/v3/" + path).getAsJsonObject("components")
					.getAsJsonObject("schemas");
				for (Map.Entry<String, JsonElement> schema : schemas.entrySet()) {
					add(schema.getKey(), schema.getValue().getAsJsonObject(), published, known);
				}
			}
		}
		Map<String, String> table = new TreeMap<>();
		AppliedFields.MERGED.lines().forEach((line) -> table.put(line.split(" ", 2)[0], line));
		int minor = ClusterSupport.minor(client);
		boolean newest = minor == 36;
		// Later ones have models and fields that the official client does not have.
		if (minor > 36) {
			published.keySet().retainAll(table.keySet());
			published.replaceAll((model, line) -> table.get(model));
		}
		published.forEach((model, line) -> assertThat(table.get(model)).as(line)
			.satisfies((each) -> assertThat(newest ? List.of(each) : List.of(each.split(" ")))
				.containsAll(newest ? List.of(line) : List.of(line.split(" ")))));
		if (newest) {
			known.forEach(
					(model) -> assertThat(table.containsKey(model)).as(model).isEqualTo(published.containsKey(model)));
		}
	}

	private static JsonObject get(ApiClient client, String path) throws IOException {
		Request request = new Request.Builder().url(client.getBasePath() + path)
			.header("Authorization", authorization(client))
			.build();
		try (Response response = client.getHttpClient().newCall(request).execute()) {
			return JsonParser.parseReader(response.body().charStream()).getAsJsonObject();
		}
	}

	private static String authorization(ApiClient client) throws IOException {
		return client.getAuthentications()
			.values()
			.stream()
			.filter(io.kubernetes.client.openapi.auth.ApiKeyAuth.class::isInstance)
			.map(io.kubernetes.client.openapi.auth.ApiKeyAuth.class::cast)
			.filter((each) -> each.getApiKey() != null)
			.map((each) -> (each.getApiKeyPrefix() != null) ? each.getApiKeyPrefix() + " " + each.getApiKey()
					: each.getApiKey())
			.findFirst()
			.orElse("");
	}

	// A status is never applied.
	private static void add(String name, JsonObject schema, Map<String, String> published, List<String> known) {
		String model = model(name);
		if (model == null || model.endsWith("Status") || model.equals("V1UncountedTerminatedPods")) {
			return;
		}
		known.add(model);
		List<String> rules = new ArrayList<>();
		if (isAtomic(schema)) {
			rules.add("!");
		}
		if (schema.has("properties")) {
			new TreeMap<>(schema.getAsJsonObject("properties").asMap())
				.forEach((property, value) -> add(property, value.getAsJsonObject(), rules));
		}
		if (!rules.isEmpty()) {
			published.put(model, model + " " + String.join(" ", rules));
		}
	}

	private static void add(String property, JsonObject value, List<String> rules) {
		String list = text(value, "x-kubernetes-list-type");
		if (list.equals("map")) {
			List<String> keys = new ArrayList<>();
			value.getAsJsonArray("x-kubernetes-list-map-keys").forEach((key) -> keys.add(key.getAsString()));
			rules.add(property + "=" + String.join(",", keys));
		}
		else if (list.equals("set")) {
			rules.add(property + "=set");
		}
		else if (!value.has("items") && isAtomic(value)) {
			rules.add(property + "=!");
		}
	}

	private static boolean isAtomic(JsonObject schema) {
		return text(schema, "x-kubernetes-map-type").equals("atomic");
	}

	private static String text(JsonObject object, String name) {
		return object.has(name) ? object.get(name).getAsString() : "";
	}

	// As the official client's generator names them.
	private static @Nullable String model(String schema) {
		String[] parts = schema.split("\\.");
		String version = capitalized(parts[parts.length - 2]);
		String kind = parts[parts.length - 1];
		for (String name : List.of(capitalized(parts[parts.length - 3]) + version + kind, version + kind)) {
			try {
				return Class.forName(MODELS + name).getSimpleName();
			}
			catch (ClassNotFoundException ex) {
				// The next one.
			}
		}
		return null;
	}

	private static String capitalized(String word) {
		return Character.toUpperCase(word.charAt(0)) + word.substring(1);
	}

}
