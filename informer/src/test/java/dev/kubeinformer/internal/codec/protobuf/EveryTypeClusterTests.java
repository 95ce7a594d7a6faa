package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.google.gson.Gson;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.internal.codec.protobuf.PopulatedObjects.Variant;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers of a real API server for objects of every type, in JSON and in protobuf. The
 * objects are written into its etcd, where no admission changes or refuses them. With the
 * system property {@code record} the answers become those of {@link EveryTypeTests}; for
 * the types that are off by default the cluster needs {@code
 * --runtime-config=api/all=true}.
 */
@RequiresCluster(properties = "cluster.etcd")
class EveryTypeClusterTests {

	/** Where they are, unless it is where their plural says. */
	private static final Map<String, String> FOLDERS = Map.of("services", "services/specs", "endpoints",
			"services/endpoints", "nodes", "minions", "replicationcontrollers", "controllers",
			"ingresses.networking.k8s.io", "ingress", "events.events.k8s.io", "events",
			"customresourcedefinitions.apiextensions.k8s.io", "apiextensions.k8s.io/customresourcedefinitions",
			"apiservices.apiregistration.k8s.io", "apiregistration.k8s.io/apiservices");

	/**
	 * Fields that are read as empty, instead of not at all, by the minor version that has
	 * removed them: the decoders follow the messages of 1.36.
	 */
	private static final Map<String, Integer> REMOVED = Map.of("nodeAllocatableResourceClaimStatuses[].resources", 37);

	private static final String NAMESPACE = "default";

	private final HttpClient etcd = HttpClient.newHttpClient();

	private final List<String> written = new ArrayList<>();

	private ApiClient client;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			this.client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
		}
	}

	@AfterEach
	void cleanUp() throws Exception {
		for (String key : this.written) {
			etcd("deleterange", Map.of("key", base64(key)));
		}
	}

	@Test
	void protobufIsDecodedAsJsonIs() throws Exception {
		int minor = ClusterSupport.minor(this.client);
		Map<String, byte[]> answers = new LinkedHashMap<>();
		List<String> notServed = new ArrayList<>();
		List<String> differences = new ArrayList<>();
		for (ResourceType<?> type : EveryType.withProtobuf()) {
			for (Variant variant : Variant.values()) {
				EveryType.Answers both = ask(type, variant);
				if (both == null) {
					notServed.add(type.toString());
					break;
				}
				both.addTo(answers);
				EveryType.differences(both)
					.stream()
					.filter((each) -> !isRemoved(each, minor))
					.forEach((each) -> differences.add(type + " " + variant + each));
			}
		}
		assertThat(differences).isEmpty();
		System.out.println("Not served: " + notServed);
		if (System.getProperty("record") != null) {
			EveryType.record(Path.of("src/test/resources"), answers);
		}
		assertThat(answers).hasSizeGreaterThan(400);
	}

	private static boolean isRemoved(String difference, int minor) {
		String path = difference.replaceAll("\\[\\d+]", "[]");
		return REMOVED.entrySet()
			.stream()
			.anyMatch((field) -> minor >= field.getValue() && path.endsWith(field.getKey() + ": null instead of {}"));
	}

	private EveryType.Answers ask(ResourceType<?> type, Variant variant) throws Exception {
		String name = "every-" + type.plural() + "-" + variant.name().toLowerCase(Locale.ROOT) + ".example.com";
		String folder = FOLDERS.getOrDefault(type.name(), type.plural());
		String key = "/registry/" + folder + (type.namespaced() ? "/" + NAMESPACE : "") + "/" + name;
		String object = new Gson().toJson(PopulatedObjects.of(type, variant, name, NAMESPACE));
		String path = type.path(type.namespaced() ? NAMESPACE : null) + "/" + name;
		this.written.add(key);
		etcd("put", Map.of("key", base64(key), "value", base64(object.getBytes(StandardCharsets.UTF_8))));
		byte[] stored = get(path, "application/vnd.kubernetes.protobuf");
		if (stored == null) {
			return null;
		}
		// Servers store protobuf, where lists that are empty and lists that are nil are
		// the same.
		etcd("put", Map.of("key", base64(key), "value", base64(stored)));
		byte[] json = get(path, "application/json");
		byte[] protobuf = get(path, "application/vnd.kubernetes.protobuf");
		// Controllers in the API server may change it in between.
		for (byte[] again = get(path, "application/json"); !Arrays.equals(json, again);) {
			json = again;
			protobuf = get(path, "application/vnd.kubernetes.protobuf");
			again = get(path, "application/json");
		}
		etcd("deleterange", Map.of("key", base64(key)));
		return new EveryType.Answers(type, variant, json, protobuf);
	}

	private byte[] get(String path, String accept) throws IOException, ApiException {
		Request request = this.client.buildRequest(null, path, "GET", List.of(), List.of(), null,
				new HashMap<>(Map.of("Accept", accept)), new HashMap<>(), new HashMap<>(),
				new String[] { "BearerToken" }, null);
		try (Response response = this.client.getHttpClient().newCall(request).execute()) {
			byte[] body = response.body().bytes();
			if (response.code() == 404 && !new String(body, StandardCharsets.UTF_8).contains("every-")) {
				return null;
			}
			assertThat(response.code()).as(path + new String(body, StandardCharsets.UTF_8)).isEqualTo(200);
			return body;
		}
	}

	private static String base64(String text) {
		return base64(text.getBytes(StandardCharsets.UTF_8));
	}

	private static String base64(byte[] bytes) {
		return Base64.getEncoder().encodeToString(bytes);
	}

	private void etcd(String operation, Map<String, String> body) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest
			.newBuilder(URI.create(System.getProperty("cluster.etcd") + "/v3/kv/" + operation))
			.POST(BodyPublishers.ofString(new Gson().toJson(body)))
			.build();
		HttpResponse<String> response = this.etcd.send(request, BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
	}

}
