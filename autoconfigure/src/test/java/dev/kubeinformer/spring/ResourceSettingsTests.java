package dev.kubeinformer.spring;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.Informers;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.Setting;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.WireEncoding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the configuration says about the cache of a resource.
 */
@ExtendWith(OutputCaptureExtension.class)
class ResourceSettingsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().validation(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true")
		.withBean(Reader.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void managedFieldsShouldBeKeptOfResourcesForWhichTheyAreAskedFor() throws Exception {
		apply("Pod", "pods");
		apply("ConfigMap", "configmaps");
		this.runner.withPropertyValues("kubernetes.informers.resources.pods.keep-managed-fields=true")
			.run((context) -> {
				Reader reader = context.getBean(Reader.class);
				assertThat(reader.pods.list().get(0).getMetadata().getManagedFields())
					.extracting(V1ManagedFieldsEntry::getManager)
					.containsExactly("kubelet");
				assertThat(reader.configMaps.list().get(0).getMetadata().getManagedFields()).isEmpty();
			});
	}

	@Test
	void protobufShouldBePreferredForBuiltInTypesUnlessItIsOff() {
		this.runner.run((context) -> {
			assertThat(accepted()).isNotEmpty()
				.allMatch((accept) -> accept.startsWith("application/vnd.kubernetes.protobuf"));
			assertThat(context.getBean(Informers.class).informer(V1Pod.class).status().encoding())
				.isEqualTo(WireEncoding.JSON);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "off", "OFF", "false" })
	void protobufShouldNotBeAskedForIfItIsOff(String off) {
		// YAML reads a bare 'off' as false.
		this.runner.withPropertyValues("kubernetes.client.protobuf=" + off)
			.run((context) -> assertThat(accepted()).isNotEmpty()
				.allMatch((accept) -> accept.startsWith("application/json")));
	}

	@Test
	void protobufShouldBeOffAlsoForAnApplicationsOwnClient(CapturedOutput output) {
		ApiClient client = new ApiClient();
		client.setBasePath(this.kubernetes.url());
		this.runner.withBean(ApiClient.class, () -> client)
			.withPropertyValues("kubernetes.client.protobuf=off")
			.run((context) -> assertThat(accepted()).isNotEmpty()
				.allMatch((accept) -> accept.startsWith("application/json")));
		assertThat(output).doesNotContain("kubernetes.client.protobuf");
	}

	@Test
	void equalPartsShouldBeSharedUnlessTheResourceSaysOtherwise() {
		this.runner
			.withPropertyValues("kubernetes.informers.resources.pods.share-equal-parts=false",
					"kubernetes.informers.resources.configmaps.share-equal-parts=true")
			.run((context) -> {
				ConfiguredSettings settings = context.getBean(ConfiguredSettings.class);
				assertThat(settings.forResource(ResourceType.of(V1Pod.class)).get(Setting.SHARE_EQUAL_PARTS)).isFalse();
				assertThat(settings.forResource(ResourceType.of(V1ConfigMap.class)).get(Setting.SHARE_EQUAL_PARTS))
					.isTrue();
				assertThat(settings.forResource(ResourceType.of(V1Secret.class)).get(Setting.SHARE_EQUAL_PARTS))
					.isNull();
			});
	}

	private List<String> accepted() {
		return this.kubernetes.requests()
			.stream()
			.filter((request) -> request.isWatch() || request.isList())
			.map((request) -> String.valueOf(request.header("Accept")))
			.toList();
	}

	private void apply(String kind, String plural) throws Exception {
		String object = "{\"apiVersion\": \"v1\", \"kind\": \"%s\", \"metadata\": {\"name\": \"a\", \"labels\": {\"app\": \"web\"}}}";
		URI uri = URI.create(
				this.kubernetes.url() + "/api/v1/namespaces/default/" + plural + "/a?fieldManager=kubelet&force=true");
		HttpRequest request = HttpRequest.newBuilder(uri)
			.header("Content-Type", "application/apply-patch+yaml")
			.method("PATCH", HttpRequest.BodyPublishers.ofString(object.formatted(kind)))
			.build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
	}

	static class Reader {

		private final Lister<V1Pod> pods;

		private final Lister<V1ConfigMap> configMaps;

		Reader(Lister<V1Pod> pods, Lister<V1ConfigMap> configMaps) {
			this.pods = pods;
			this.configMaps = configMaps;
		}

	}

}
