package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.protobuf.EveryType.Answers;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the protobuf answers of the embedded API with its JSON answers: every type
 * with all its fields.
 */
class EmbeddedProtobufTests {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final Pattern JSON_ONLY = Pattern.compile("(?i).*(v\\d(alpha|beta)\\d|apiservice).*");

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private static EmbeddedKubernetes api;

	@BeforeAll
	static void start() {
		api = EmbeddedKubernetes.builder().protobuf(true).start();
	}

	@AfterAll
	static void close() {
		api.close();
	}

	static List<Answers> recorded() throws IOException {
		return EveryType.recorded()
			.stream()
			.filter((answers) -> !answers.type().plural().equals("customresourcedefinitions"))
			.toList();
	}

	@ParameterizedTest
	@MethodSource("recorded")
	void objectShouldBeTheSameInBothEncodings(Answers recorded) throws Exception {
		KubernetesObject object = create(recorded, recorded.type());
		URI uri = URI.create(api.url() + path(recorded.type(), object.getMetadata()));
		byte[] json = get(uri, "application/json").body();
		HttpResponse<byte[]> protobuf = get(uri, PROTOBUF + ",application/json");
		boolean translated = protobuf.headers().firstValue("Content-Type").orElseThrow().equals(PROTOBUF);
		assertThat(translated).isEqualTo(!JSON_ONLY.matcher(recorded.type().toString()).matches());
		if (translated) {
			// Unlike kube-apiserver, this one does not fill in required lists.
			assertThat(EveryType.differences(new Answers(recorded.type(), recorded.variant(), json, protobuf.body())))
				.filteredOn((difference) -> !difference.endsWith("null instead of []"))
				.isEmpty();
		}
		else {
			assertThat(protobuf.body()).isEqualTo(json);
		}
	}

	@Test
	void errorShouldBeProtobuf() throws Exception {
		HttpResponse<byte[]> response = get(URI.create(api.url() + "/api/v1/namespaces/default/pods/none"),
				PROTOBUF + ",application/json");
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(ProtobufStatus.read(response.body(), 0).message()).contains("pods \"none\" not found");
	}

	private static <T extends KubernetesObject> T create(Answers recorded, ResourceType<T> type) throws Exception {
		T object = new ModelJson(new JsonMappers(false)).read(type, recorded.json());
		V1ObjectMeta metadata = Objects.requireNonNull(object.getMetadata());
		metadata.name(recorded.toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"));
		metadata.resourceVersion(null).finalizers(null);
		return api.resources(type.objectClass()).create(object);
	}

	private static String path(ResourceType<?> type, V1ObjectMeta metadata) {
		String group = type.apiVersion().contains("/") ? "/apis/" : "/api/";
		String namespace = type.namespaced() ? "/namespaces/" + metadata.getNamespace() : "";
		return group + type.apiVersion() + namespace + "/" + type.plural() + "/" + metadata.getName();
	}

	private static HttpResponse<byte[]> get(URI uri, String accept) throws Exception {
		return CLIENT.send(HttpRequest.newBuilder(uri).header("Accept", accept).build(), BodyHandlers.ofByteArray());
	}

}
