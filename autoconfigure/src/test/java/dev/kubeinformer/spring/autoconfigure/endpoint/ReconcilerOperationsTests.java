package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.util.Yaml;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the operations side of a reconciler that runs on the embedded API.
 */
class ReconcilerOperationsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().user("shop", "token").start();

	private final ApiUser user = this.kubernetes.user("shop");

	private EndpointApplication application;

	@BeforeEach
	void create() {
		this.kubernetes.resources(V1Namespace.class).create(new V1Namespace().metadata(new V1ObjectMeta().name("web")));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
	}

	@AfterEach
	void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.kubernetes.close();
	}

	@Test
	void rightsShouldBeNamedUntilTheRolesOfTheEndpointAreGranted() throws Exception {
		this.user.allow("list,watch", "pods,configmaps", "web");
		run(PodReconciler.class);
		// The finalizer may not be written.
		await().untilAsserted(() -> assertThat(read("$.requiredRbac")).isEqualTo(List
			.of("Role in namespace 'web' with apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"get\", \"list\", \"watch\", \"patch\"]")));
		assertThat(read("$.longestFailing[0].key")).isEqualTo("web/one");
		assertThat(read("$.longestFailing[0].exception").toString())
			.isEqualTo("dev.kubeinformer.types.WriteFailedException (HTTP 403)");
		assertThat(read("$.longestFailing[0].write")).asString().contains("patch", "pods", "web/one", "Forbidden");
		assertThat(health()).contains("UP", "requiredRbac").doesNotContain("forbidden");
		assertThat(this.application.bean(MeterRegistry.class)
			.get("kubernetes.reconciler")
			.tags("reconciler", "podReconciler", "outcome", "error")
			.timer()
			.count()).isPositive();
		grant(this.application.get("/rbac").body());
		await().untilAsserted(
				() -> assertThat(this.kubernetes.resources(V1ConfigMap.class).get("web", "one-config")).isNotNull());
		await().untilAsserted(() -> assertThat(read("$.requiredRbac")).isEqualTo(List.of()));
		assertThat(read("$.failingKeys")).isEqualTo(0);
		assertThat(this.application.bean(MeterRegistry.class)
			.get("kubernetes.reconciler")
			.tags("reconciler", "podReconciler", "outcome", "done")
			.timer()
			.count()).isPositive();
	}

	@Test
	void reconcilerShouldBeSteeredAndItsRunsShown() throws Exception {
		this.user.allowAll();
		run(BlockingReconciler.class);
		BlockingReconciler reconciler = this.application.bean(BlockingReconciler.class);
		reconciler.began.await();
		assertThat(read("$.running")).isEqualTo(1);
		assertThat(read("$.state")).isEqualTo("ACTIVE");
		assertThat(read("$.sources[*].informer")).asString().contains("pods");
		assertThat(this.application.bean(MeterRegistry.class)
			.get("kubernetes.reconciler.active")
			.longTaskTimer()
			.activeTasks()).isEqualTo(1);
		reconciler.release.countDown();
		await().until(() -> read("$.runs.total").equals(1));
		assertThat(this.application.act("podReconciler", "PAUSE").statusCode()).isEqualTo(200);
		assertThat(this.application.post("/podReconciler", "{\"action\":\"TRIGGER\",\"key\":\"web/one\"}").statusCode())
			.isEqualTo(200);
		await().until(() -> read("$.queue.ready.LIVE").equals(1));
		assertThat(this.application.act("podReconciler", "RESUME").statusCode()).isEqualTo(200);
		await().until(() -> read("$.runs.total").equals(2));
		assertThat(this.application.act("podReconciler", "STOP").statusCode()).isEqualTo(200);
		assertThat(read("$.state")).isEqualTo("STOPPED");
		assertThat(this.application.act("podReconciler", "START").statusCode()).isEqualTo(200);
		await().until(() -> read("$.runs.total").equals(3));
	}

	@Test
	void classThatNoObjectFitsShouldBeSeenEverywhere() throws Exception {
		this.user.allowAll();
		Fault fault = this.kubernetes.faults()
			.corrupt(V1Pod.class, "web", "one", (json) -> json.replaceFirst("\\{", "{\"spec\":7,"));
		run(PodReconciler.class);
		await().until(() -> read("$.failingKeys").equals(1));
		assertThat(read("$.longestFailing[0].key")).isEqualTo("web/one");
		assertThat(read("$.longestFailing[0].exception").toString()).contains("UnreadableObjectException",
				"the field 'spec' cannot be read as V1PodSpec");
		assertThat(read("$.runs.total")).isEqualTo(1);
		assertThat(read("$.runs.failed")).isEqualTo(1);
		await().untilAsserted(() -> assertThat(health()).contains("DOWN", "role=PRIMARY, count=1",
				"web/one=the field 'spec' cannot be read as V1PodSpec"));
		assertThat(quarantined()).isEqualTo(1);
		HttpResponse<String> refusal = this.application.post("/podReconciler",
				"{\"action\":\"TRIGGER\",\"key\":\"web/one\"}");
		assertThat(refusal.statusCode()).isEqualTo(409);
		assertThat(refusal.body()).contains("web/one", "'spec' cannot be read as V1PodSpec");
		assertThat(this.application.act("podReconciler", "TRIGGER").statusCode()).isEqualTo(200);
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
		await().untilAsserted(() -> assertThat(health()).contains("UP", "web/one"));
		fault.remove();
		this.kubernetes.resources(V1Pod.class).edit("web", "one", (pod) -> pod.getMetadata().putLabelsItem("a", "b"));
		await().until(() -> read("$.failingKeys").equals(0));
		assertThat(this.kubernetes.resources(V1ConfigMap.class).get("web", "one-config")).isNotNull();
		assertThat(quarantined()).isZero();
		assertThat(health()).contains("UP").doesNotContain("quarantined");
	}

	private double quarantined() {
		return this.application.bean(MeterRegistry.class)
			.get("kubernetes.informer.quarantined")
			.tag("resource", "pods")
			.gauge()
			.value();
	}

	private Object read(String path) {
		return this.application.read("/podReconciler", path);
	}

	private String health() {
		HealthContributor health = this.application.context()
			.getBean("informersHealthContributor", CompositeHealthContributor.class)
			.getContributor("podReconciler");
		return String.valueOf(((HealthIndicator) health).health());
	}

	private void grant(String yaml) throws Exception {
		for (Object role : Yaml.loadAll(yaml)) {
			V1Role granted = (V1Role) role;
			for (V1PolicyRule rule : granted.getRules()) {
				this.user.allow(String.join(",", rule.getVerbs()), String.join(",", rule.getResources()),
						granted.getMetadata().getNamespace());
			}
		}
	}

	private void run(Class<?> bean) {
		this.application = EndpointApplication.run(WebApplicationType.SERVLET, List.of(bean, Meters.class),
				"kubernetes.client.url=" + this.kubernetes.url(), "kubernetes.client.token=token",
				EndpointApplication.UNRESTRICTED, "kubernetes.reconcilers.defaults.retry.max-delay=500ms");
	}

	@Configuration(proxyBeanMethods = false)
	static class Meters {

		@Bean
		SimpleMeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

	@Reconciler(id = "podReconciler", namespaces = "web")
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod, Owned<V1ConfigMap> configs, Reconciliation<V1Pod> run) throws Exception {
			run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(run.key().name() + "-config")));
		}

		@OnCleanup
		void cleanUp(V1Pod pod) {
		}

	}

	@Reconciler(id = "podReconciler")
	static class BlockingReconciler {

		private final CountDownLatch began = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		@Reconcile
		void reconcile(V1Pod pod) throws InterruptedException {
			this.began.countDown();
			this.release.await();
		}

	}

}
