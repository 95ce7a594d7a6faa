package com.example.guestbook;

import java.time.Duration;

import com.example.guestbook.Guestbook.Alias;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1Service;
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

/**
 * Tests the whole controller on a Kubernetes API server in memory.
 */
@SpringBootTest
@EmbeddedKubernetesTest
class GuestbookReconcilerTests {

	private ApiResources<Guestbook> guestbooks;

	private ApiResources<V1ConfigMap> configs;

	private ApiResources<V1Deployment> deployments;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@BeforeEach
	void resources(ApiResources<Guestbook> guestbooks, ApiResources<V1ConfigMap> configs,
			ApiResources<V1Deployment> deployments) {
		this.guestbooks = guestbooks;
		this.configs = configs;
		this.deployments = deployments;
	}

	@Test
	void deploymentAndConfigMapFollowTheirGuestbook() throws InterruptedException {
		this.guestbooks.create(guestbook());
		settle();
		assertThat(this.deployments.get("lobby").getSpec().getReplicas()).isEqualTo(2);
		assertThat(this.configs.get("lobby-settings").getData()).containsEntry("GUESTBOOK_ALIAS", "Phone");
		this.guestbooks.edit("lobby", (guestbook) -> {
			guestbook.spec.size = 3;
			guestbook.spec.alias = Alias.Address;
		});
		settle();
		assertThat(this.deployments.get("lobby").getSpec().getReplicas()).isEqualTo(3);
		assertThat(this.configs.get("lobby-settings").getData()).containsEntry("GUESTBOOK_ALIAS", "Address");
	}

	@Test
	void serviceSelectsThePodsOfTheDeployment(ApiResources<V1Service> services) throws InterruptedException {
		this.guestbooks.create(guestbook());
		settle();
		assertThat(this.deployments.get("lobby").getSpec().getTemplate().getMetadata().getLabels())
			.isEqualTo(services.get("lobby").getSpec().getSelector());
	}

	@Test
	void statusFollowsTheDeployment() throws InterruptedException {
		this.guestbooks.create(guestbook());
		settle();
		assertThat(Conditions.isTrue(this.guestbooks.get("lobby").status.conditions, "Available")).isFalse();
		this.deployments.edit("lobby",
				(deployment) -> deployment.setStatus(new V1DeploymentStatus().replicas(2).readyReplicas(2)));
		settle();
		assertThat(this.guestbooks.get("lobby").status.readyReplicas).isEqualTo(2);
		assertThat(Conditions.isTrue(this.guestbooks.get("lobby").status.conditions, "Available")).isTrue();
	}

	@Test
	void configMapOfAnotherNameReplacesTheOneBefore() throws InterruptedException {
		this.guestbooks.create(guestbook());
		settle();
		this.guestbooks.edit("lobby", (guestbook) -> guestbook.spec.configMapName = "other");
		settle();
		assertThat(this.configs.list()).extracting((config) -> config.getMetadata().getName())
			.containsExactly("lobby-other");
	}

	@Test
	void deletedServiceComesBack(ApiResources<V1Service> services) throws InterruptedException {
		this.guestbooks.create(guestbook());
		settle();
		services.delete("lobby");
		settle();
		assertThat(services.get("lobby")).isNotNull();
	}

	@Test
	void guestbookThatBreaksARuleIsRefused() {
		Guestbook guestbook = guestbook();
		guestbook.spec.size = 11;
		guestbook.spec.configMapName = "Not a name";
		assertThatExceptionOfType(StatusException.class)
			.isThrownBy(() -> this.guestbooks.asClient().create(guestbook))
			.withMessageContainingAll("spec.size", "spec.configMapName");
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("guestbookReconciler").status().failing()).isEmpty();
	}

	private static Guestbook guestbook() {
		Guestbook guestbook = new Guestbook();
		guestbook.getMetadata().namespace("default").name("lobby");
		guestbook.spec.size = 2;
		guestbook.spec.configMapName = "settings";
		guestbook.spec.alias = Alias.Phone;
		return guestbook;
	}

}
