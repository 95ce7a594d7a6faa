package com.example.timetolive;

import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the application on the cluster of {@code -Dkubeconfig}. It applies the definition
 * of {@link Sandbox}, which stays.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true",
		"kubernetes.definitions.apply=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class TimeToLiveClusterTests {

	private final String name = "test-" + UUID.randomUUID().toString().substring(0, 8);

	@Autowired
	private ApiClient client;

	/**
	 * Where no controllers run, nothing deletes the namespace after its owner.
	 */
	@AfterEach
	void deleteTheNamespace() {
		try {
			new CoreV1Api(this.client).deleteNamespace("sandbox-" + this.name).execute();
		}
		catch (ApiException ex) {
			assertThat(ex.getCode()).isIn(404, 409);
		}
	}

	@Test
	void sandboxEndsAfterItsTime(@Autowired Lister<Sandbox> sandboxes) throws ApiException {
		create(this.name, "5s");
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(new CoreV1Api(this.client).readNamespace("sandbox-" + this.name)
				.execute()
				.getMetadata()
				.getOwnerReferences()).extracting(V1OwnerReference::getName).containsExactly(this.name));
		await().until(() -> sandboxes.get(this.name) == null);
	}

	@Test
	void timeThatIsNoneIsRefused() {
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> create(this.name, "tomorrow"))
			.satisfies((ex) -> assertThat(ex.getResponseBody()).contains("spec.ttl", "tomorrow"));
	}

	@Test
	void nameThatIsTooLongForANamespaceIsRefused() {
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> create("a".repeat(56), "1s"))
			.satisfies((ex) -> assertThat(ex.getResponseBody()).contains("at most 55"));
	}

	private void create(String name, String ttl) throws ApiException {
		Map<String, Object> sandbox = Map.of("apiVersion", "example.com/v1", "kind", "Sandbox", "metadata",
				Map.of("name", name), "spec", Map.of("ttl", ttl));
		new CustomObjectsApi(this.client).createClusterCustomObject("example.com", "v1", "sandboxes", sandbox)
			.execute();
	}

}
