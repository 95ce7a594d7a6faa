package com.example.secretmirror;

import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the application on the cluster of {@code -Dkubeconfig}, in namespaces of its own.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class SecretMirrorClusterTests {

	private final String team = "team-" + UUID.randomUUID().toString().substring(0, 8);

	private CoreV1Api api;

	@BeforeEach
	void createTheNamespaces(@Autowired ApiClient client) throws ApiException {
		this.api = new CoreV1Api(client);
		create("source", "none");
		create("target", this.team);
	}

	@AfterEach
	void deleteTheNamespaces() throws ApiException {
		this.api.deleteNamespacedSecret("registry", name("source")).execute();
		for (String namespace : new String[] { "source", "target", "late" }) {
			this.api.deleteNamespace(name(namespace)).execute();
		}
	}

	@Test
	void copiesAreInTheNamespacesOfTheTeam() throws ApiException {
		V1ObjectMeta metadata = new V1ObjectMeta().name("registry").putLabelsItem(SecretMirror.MIRROR_TO, this.team);
		this.api
			.createNamespacedSecret(name("source"),
					new V1Secret().metadata(metadata).stringData(Map.of("password", "first")))
			.execute();
		await().ignoreExceptions().untilAsserted(() -> assertThat(password("target")).isEqualTo("first"));
		create("late", this.team);
		await().ignoreExceptions().untilAsserted(() -> assertThat(password("late")).isEqualTo("first"));
		this.api
			.replaceNamespacedSecret("registry", name("source"),
					new V1Secret().metadata(metadata).stringData(Map.of("password", "second")))
			.execute();
		await().untilAsserted(() -> assertThat(password("target")).isEqualTo("second"));
	}

	private String password(String namespace) throws ApiException {
		return new String(
				this.api.readNamespacedSecret("registry", name(namespace)).execute().getData().get("password"));
	}

	private void create(String name, String team) throws ApiException {
		this.api
			.createNamespace(new V1Namespace()
				.metadata(new V1ObjectMeta().name(name(name)).putLabelsItem(SecretMirror.TEAM, team)))
			.execute();
	}

	private String name(String name) {
		return this.team + "-" + name;
	}

}
