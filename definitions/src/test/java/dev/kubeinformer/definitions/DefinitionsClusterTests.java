package dev.kubeinformer.definitions;

import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.Informers;
import dev.kubeinformer.definitions.hard.HardClasses;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Definitions and objects of hard classes on a real kube-apiserver.
 */
@Tag("slow")
@RequiresCluster
class DefinitionsClusterTests {

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final Duration LONG = Duration.ofSeconds(15);

	private final List<V1CustomResourceDefinition> definitions = CustomResourceDefinitions.of(HardClasses.all()).all();

	private ApiClient client;

	@BeforeEach
	void connect(Path kubeconfig) throws Exception {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			this.client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
		}
	}

	@AfterEach
	void remove() throws Exception {
		for (V1CustomResourceDefinition definition : this.definitions) {
			call("DELETE", DEFINITIONS + "/" + definition.getMetadata().getName(), null, (status, warning) -> {
			});
		}
	}

	@Test
	void definitionsAreAcceptedAndObjectsOfTheClassesPass() throws Exception {
		for (V1CustomResourceDefinition definition : this.definitions) {
			JsonObject created = create(DEFINITIONS + "?fieldValidation=Strict", JSON.serialize(definition));
			assertThat(created.getAsJsonObject("status").toString()).doesNotContain("NonStructuralSchema");
		}
		for (V1CustomResourceDefinition definition : this.definitions) {
			awaitEstablished(definition);
		}
		List<Class<?>> served = HardClasses.all()
			.stream()
			.filter((type) -> type.getAnnotation(KubernetesResource.class).served())
			.toList();
		for (Class<?> type : served) {
			passes(type.asSubclass(KubernetesObject.class));
		}
	}

	private void awaitEstablished(V1CustomResourceDefinition definition) throws Exception {
		String name = definition.getMetadata().getName();
		await().atMost(LONG)
			.until(() -> conditions(name)
				.matches("(?s).*\"True\"[^}]*\"Established\".*|.*\"Established\"[^}]*\"True\".*")
					&& !conditions(name).contains("NonStructural"));
		String group = definition.getSpec().getGroup();
		for (V1CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
			if (version.getServed()) {
				String path = "/apis/%s/%s/%s".formatted(group, version.getName(),
						definition.getSpec().getNames().getPlural());
				await().atMost(LONG).until(() -> call("GET", path, null, (status, warning) -> {
				}) != null);
			}
		}
	}

	private String conditions(String name) throws Exception {
		JsonObject definition = call("GET", DEFINITIONS + "/" + name, null, (status, warning) -> {
		});
		return (definition != null) ? definition.getAsJsonObject("status").toString() : "";
	}

	private <T extends KubernetesObject> void passes(Class<T> type) throws Exception {
		ResourceType<T> resource = ResourceType.of(type);
		KubernetesObject written = HardClasses.filled(type, "filled");
		String path = "/apis/%s/%s%s/%s".formatted(resource.group(), resource.version(),
				resource.namespaced() ? "/namespaces/default" : "", resource.plural());
		boolean deprecated = !type.getAnnotation(KubernetesResource.class).deprecationWarning().isEmpty();
		String sent = JSON.serialize(written);
		call("POST", path + "?fieldValidation=Strict", sent, (status, warning) -> {
			assertThat(status).as("%s of %s", warning, sent).isEqualTo(201);
			assertThat(!warning.isEmpty()).as(warning).isEqualTo(deprecated);
		});
		try (Informers informers = Informers.builder(this.client).build()) {
			Informer<T> informer = informers.informer(type);
			informers.start();
			assertThat(informer.awaitSync(LONG)).isTrue();
			await().atMost(LONG)
				.untilAsserted(
						() -> assertThat(informer.lister().list()).as("%s: %s", type, informer.status()).hasSize(1));
			List<T> read = informer.lister().list();
			assertThat(content(JSON.serialize(read.get(0)))).isEqualTo(content(sent));
		}
		call("DELETE", path + "/filled", null, (status, warning) -> assertThat(status).isEqualTo(200));
	}

	private static Map<String, Object> content(String json) {
		JsonObject tree = JsonParser.parseString(json).getAsJsonObject();
		tree.remove("metadata");
		return Map.of("content", tree);
	}

	private JsonObject create(String path, String body) throws Exception {
		JsonObject answer = call("POST", path, body, (status, warning) -> {
			assertThat(status).as("%s %s", warning, body).isEqualTo(201);
			assertThat(warning).as(body).isEmpty();
		});
		return answer;
	}

	private JsonObject call(String method, String path, String body, BiConsumer<Integer, String> check)
			throws Exception {
		Request request = new Request.Builder().url(this.client.getBasePath() + path)
			.header("Authorization", "Bearer admin-token")
			.method(method, (body != null) ? RequestBody.create(body, MediaType.get("application/json")) : null)
			.build();
		try (Response response = this.client.getHttpClient().newCall(request).execute()) {
			String answer = response.body().string();
			String warnings = String.join("\n", response.headers("Warning"));
			check.accept(response.code(), response.isSuccessful() ? warnings : answer);
			return response.isSuccessful() ? JsonParser.parseString(answer).getAsJsonObject() : null;
		}
	}

}
