package com.example.timetolive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole application on a Kubernetes API server in memory.
 */
@SpringBootTest(properties = "spring.main.cloud-platform=kubernetes")
@EmbeddedKubernetesTest(garbageCollection = true, namespace = "time-to-live")
class TimeToLiveTests {

	@Autowired
	private SettableClock clock;

	@Autowired
	private ReconcilerRegistry reconcilers;

	private ApiResources<Sandbox> sandboxes;

	private ApiResources<V1Namespace> namespaces;

	@BeforeEach
	void createTheSandbox(EmbeddedKubernetes kubernetes) throws InterruptedException {
		this.clock.reset();
		this.sandboxes = kubernetes.resources(Sandbox.class);
		this.namespaces = kubernetes.resources(V1Namespace.class);
		this.sandboxes.create(sandbox("try", "8h"));
		settle();
	}

	@Test
	void sandboxAndNamespaceEndAfterTheirTime() throws InterruptedException {
		assertThat(this.namespaces.get("sandbox-try")).isNotNull();
		look(Duration.ofMinutes(8 * 60 - 1));
		assertThat(this.sandboxes.list()).hasSize(1);
		look(Duration.ofMinutes(1));
		assertThat(this.sandboxes.list()).isEmpty();
		await().untilAsserted(() -> assertThat(this.namespaces.get("sandbox-try")).isNull());
	}

	@Test
	void timeCanBeProlonged() throws InterruptedException {
		this.sandboxes.edit("try", (sandbox) -> sandbox.spec.ttl = "3d");
		settle();
		assertThat(this.sandboxes.get("try").status.expiresAt)
			.isEqualTo(this.sandboxes.get("try").getMetadata().getCreationTimestamp().plusDays(3));
		look(Duration.ofDays(2));
		assertThat(this.sandboxes.list()).hasSize(1);
	}

	@Test
	void nextRunComesByItself() {
		this.sandboxes.edit("try", (sandbox) -> sandbox.spec.ttl = "1s");
		await().untilAsserted(() -> assertThat(this.sandboxes.list()).isEmpty());
	}

	@Test
	void namespaceOfSomebodyElseIsLeftAlone() {
		this.namespaces.create(new V1Namespace().metadata(new V1ObjectMeta().name("sandbox-taken")));
		this.sandboxes.create(sandbox("taken", "8h"));
		await()
			.untilAsserted(() -> assertThat(this.reconcilers.get("sandboxReconciler").status().failing()).isNotEmpty());
		assertThat(this.namespaces.get("sandbox-taken").getMetadata().getOwnerReferences()).isNullOrEmpty();
	}

	/**
	 * {@code mvn test -Dkubernetes.manifests.write=true} writes them, for the
	 * configuration that the application has in a pod.
	 */
	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withImage("registry.example.com/time-to-live:0.0.1")
			.withRule(new RequiredRbac("example.com", "sandboxes", List.of(), List.of("delete"), null))
			.assertUpToDate(Path.of("src/main/k8s"));
	}

	/**
	 * The reconciler waits in real time, so a test that moves the clock asks for a run.
	 */
	private void look(Duration later) throws InterruptedException {
		this.clock.forward(later);
		this.reconcilers.get("sandboxReconciler").trigger(new ObjectKey("", "try"));
		settle();
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("sandboxReconciler").status().failing()).isEmpty();
	}

	static Sandbox sandbox(String name, String ttl) {
		Sandbox sandbox = new Sandbox();
		sandbox.setMetadata(new V1ObjectMeta().name(name));
		sandbox.spec.ttl = ttl;
		return sandbox;
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Clocks {

		@Bean
		@Primary
		SettableClock settableClock() {
			return new SettableClock();
		}

	}

}
