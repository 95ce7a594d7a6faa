package dev.kubeinformer.spring.autoconfigure.health;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the health of what only the leader does, on the leader and on a standby.
 */
class StandbyHealthTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(ApplicationAvailabilityAutoConfiguration.class,
				InformerHealthContributorAutoConfiguration.class, AvailabilityProbesAutoConfiguration.class,
				InformerReadinessAutoConfiguration.class))
		.withBean(PodHandler.class)
		.withBean(ConfigReconciler.class)
		.withPropertyValues("kubernetes.leader.enabled=true", "spring.application.name=shop",
				"kubernetes.leader.lease.namespace=default");

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void standbyShouldBeUpAndSaySo() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.leader().revoke();
		this.runner.run((context) -> {
			for (String name : new String[] { "podHandler", "configReconciler" }) {
				await().untilAsserted(() -> assertThat(health(context, name).getStatus()).isEqualTo(Status.UP));
				assertThat(health(context, name).getDetails()).containsEntry("standby", true)
					.containsEntry("synced", true);
			}
			assertThat(health(context, "leader").getStatus()).isEqualTo(Status.UP);
			assertThat(health(context, "leader").getDetails()).containsEntry("lease", "default/shop")
				.doesNotContainKey("term");
		});
	}

	@Test
	void leaderShouldBeUpWithoutAStandby() {
		this.runner.run((context) -> {
			await().until(() -> context.getBean(Leadership.class).isLeader());
			for (String name : new String[] { "podHandler", "configReconciler" }) {
				await().untilAsserted(() -> assertThat(health(context, name).getStatus()).isEqualTo(Status.UP));
				assertThat(health(context, name).getDetails()).doesNotContainKey("standby");
			}
			assertThat(health(context, "leader").getDetails()).containsEntry("state", "LEADING").containsKey("term");
		});
	}

	@Test
	void standbyWhoseCacheIsNotThereShouldNotBeUp() {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		this.kubernetes.leader().revoke();
		this.runner.run((context) -> {
			await().untilAsserted(() -> assertThat(health(context, "podHandler").getStatus()).isEqualTo(Status.DOWN));
			assertThat(context.getBean(InformerReadiness.class).counts("podHandler")).isTrue();
		});
	}

	@Test
	void electionShouldNeverCountInReadiness() {
		this.kubernetes.faults().on(Requests.of("leases")).forbid();
		this.runner.run((context) -> {
			await().untilAsserted(() -> assertThat(health(context, "leader").getStatus()).isEqualTo(Status.UNKNOWN));
			assertThat(health(context, "leader").getDetails()).containsKeys("error", "requiredRbac");
			assertThat(context.getBean(InformerReadiness.class).counts("leader")).isFalse();
		});
	}

	private static Health health(ApplicationContext context, String name) {
		return context.getBean(InformersHealthContributor.class).children().get(name).health();
	}

	@InformerHandler(id = "podHandler", leaderOnly = "true")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Reconciler(id = "configReconciler")
	static class ConfigReconciler {

		@Reconcile
		void reconcile(V1ConfigMap config) {
		}

	}

}
