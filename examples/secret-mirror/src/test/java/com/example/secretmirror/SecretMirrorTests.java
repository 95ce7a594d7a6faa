package com.example.secretmirror;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole application on a Kubernetes API server in memory.
 */
@SpringBootTest(properties = "spring.main.cloud-platform=kubernetes")
@EmbeddedKubernetesTest(namespace = "secret-mirror")
class SecretMirrorTests {

	private ApiResources<V1Namespace> namespaces;

	private ApiResources<V1Secret> secrets;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@BeforeEach
	void createTheNamespaces(EmbeddedKubernetes kubernetes) throws InterruptedException {
		this.namespaces = kubernetes.resources(V1Namespace.class);
		this.secrets = kubernetes.resources(V1Secret.class);
		this.namespaces.create(namespace("platform", "platform"));
		this.namespaces.create(namespace("shop", "web"));
		this.namespaces.create(namespace("search", "data"));
		this.secrets.create(source("registry", "first"));
		settle();
	}

	@Test
	void copiesAreInTheNamespacesOfTheTeam() throws InterruptedException {
		V1Secret copy = this.secrets.get("shop", "registry");
		assertThat(copy.getData()).containsEntry("password", bytes("first"));
		assertThat(copy.getMetadata().getLabels()).isNullOrEmpty();
		assertThat(this.secrets.get("search", "registry")).isNull();
	}

	@Test
	void copyFollowsItsSource() throws InterruptedException {
		this.secrets.edit("platform", "registry", (source) -> source.setData(Map.of("password", bytes("second"))));
		settle();
		assertThat(this.secrets.get("shop", "registry").getData()).containsEntry("password", bytes("second"));
		this.secrets.delete("platform", "registry");
		settle();
		assertThat(this.secrets.list()).isEmpty();
	}

	@Test
	void copiesFollowTheLabelOfTheSource() throws InterruptedException {
		this.secrets.edit("platform", "registry",
				(source) -> source.getMetadata().setLabels(Map.of(SecretMirror.MIRROR_TO, "data")));
		settle();
		assertThat(this.secrets.get("shop", "registry")).isNull();
		assertThat(this.secrets.get("search", "registry")).isNotNull();
		this.secrets.edit("platform", "registry", (source) -> source.getMetadata().setLabels(Map.of()));
		settle();
		assertThat(this.secrets.list()).extracting((secret) -> secret.getMetadata().getNamespace())
			.containsExactly("platform");
	}

	@Test
	void newNamespaceGetsItsCopies() throws InterruptedException {
		this.namespaces.create(namespace("checkout", "web"));
		settle();
		assertThat(this.secrets.get("checkout", "registry")).isNotNull();
		this.namespaces.edit("checkout", (namespace) -> namespace.getMetadata().setLabels(Map.of()));
		settle();
		assertThat(this.secrets.get("checkout", "registry")).isNull();
	}

	@Test
	void copyThatSomebodyChangesOrDeletesIsRestored() throws InterruptedException {
		this.secrets.edit("shop", "registry", (copy) -> copy.setData(Map.of("password", bytes("wrong"))));
		settle();
		assertThat(this.secrets.get("shop", "registry").getData()).containsEntry("password", bytes("first"));
		this.secrets.delete("shop", "registry");
		settle();
		assertThat(this.secrets.get("shop", "registry")).isNotNull();
	}

	@Test
	void secretOfTheTeamIsNotReplaced() throws InterruptedException {
		V1Secret own = new V1Secret().metadata(new V1ObjectMeta().namespace("shop").name("database"))
			.data(Map.of("password", bytes("own")));
		this.secrets.create(own);
		this.secrets.create(source("database", "other"));
		settle();
		assertThat(this.secrets.get("shop", "database").getData()).containsEntry("password", bytes("own"));
		this.secrets.delete("shop", "database");
		settle();
		assertThat(this.secrets.get("shop", "database").getData()).containsEntry("password", bytes("other"));
	}

	@Test
	void copyThatIsRefusedStopsNoOther(EmbeddedKubernetes kubernetes) throws InterruptedException {
		Fault refusal = kubernetes.faults().on(Requests.patch("secrets").named("a")).status(422);
		this.secrets.create(source("a", "first"));
		this.secrets.create(source("b", "first"));
		this.secrets.delete("platform", "registry");
		await().untilAsserted(() -> {
			assertThat(this.secrets.get("shop", "b")).isNotNull();
			assertThat(this.secrets.get("shop", "registry")).isNull();
			assertThat(this.reconcilers.get("secretMirror").status().failing()).isNotEmpty();
		});
		assertThat(this.secrets.get("shop", "a")).isNull();
		refusal.remove();
		await().untilAsserted(() -> assertThat(this.secrets.get("shop", "a")).isNotNull());
	}

	/**
	 * {@code mvn test -Dkubernetes.manifests.write=true} writes them, for the
	 * configuration that the application has in a pod.
	 */
	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withImage("registry.example.com/secret-mirror:0.0.1")
			.assertUpToDate(Path.of("src/main/k8s"));
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("secretMirror").status().failing()).isEmpty();
	}

	static V1Namespace namespace(String name, String team) {
		return new V1Namespace().metadata(new V1ObjectMeta().name(name).putLabelsItem(SecretMirror.TEAM, team));
	}

	private static V1Secret source(String name, String password) {
		return new V1Secret()
			.metadata(new V1ObjectMeta().namespace("platform").name(name).putLabelsItem(SecretMirror.MIRROR_TO, "web"))
			.data(Map.of("password", bytes(password)));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
