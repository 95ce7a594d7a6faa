package com.example.controller;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.StatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole controller on a Kubernetes API server in memory.
 */
@SpringBootTest
@EmbeddedKubernetesTest(garbageCollection = true)
class WebAppReconcilerTests {

	private ApiResources<WebApp> apps;

	private ApiResources<V1Deployment> deployments;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@BeforeEach
	void resources(ApiResources<WebApp> apps, ApiResources<V1Deployment> deployments) {
		this.apps = apps;
		this.deployments = deployments;
	}

	@Test
	void deploymentFollowsItsWebApp() throws InterruptedException {
		this.apps.create(app(1));
		settle();
		this.apps.edit("default", "web", (app) -> app.spec.replicas = 3);
		settle();
		assertThat(this.deployments.get("default", "web").getSpec().getReplicas()).isEqualTo(3);
	}

	@Test
	void statusFollowsTheDeployment() throws InterruptedException {
		this.apps.create(app(2));
		settle();
		assertThat(Conditions.isTrue(this.apps.get("default", "web").status.conditions, "Ready")).isFalse();
		this.deployments.edit("default", "web",
				(deployment) -> deployment.setStatus(new V1DeploymentStatus().readyReplicas(2)));
		settle();
		assertThat(this.apps.get("default", "web").status.readyReplicas).isEqualTo(2);
		assertThat(Conditions.isTrue(this.apps.get("default", "web").status.conditions, "Ready")).isTrue();
	}

	@Test
	void deletedDeploymentComesBack() throws InterruptedException {
		this.apps.create(app(1));
		settle();
		this.deployments.delete("default", "web");
		settle();
		assertThat(this.deployments.get("default", "web")).isNotNull();
	}

	@Test
	void deploymentGoesWithItsWebApp() throws InterruptedException {
		this.apps.create(app(1));
		settle();
		this.apps.delete("default", "web");
		await().untilAsserted(() -> assertThat(this.deployments.get("default", "web")).isNull());
	}

	@Test
	void invalidWebAppIsRejected() {
		assertThatExceptionOfType(StatusException.class).isThrownBy(() -> this.apps.asClient().create(app(-1)))
			.withMessageContaining("spec.replicas in body should be greater than or equal to 0");
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("webAppReconciler").status().failing()).isEmpty();
	}

	private static WebApp app(int replicas) {
		WebApp app = new WebApp();
		app.getMetadata().namespace("default").name("web");
		app.spec.image = "nginx:1.29";
		app.spec.replicas = replicas;
		return app;
	}

}
