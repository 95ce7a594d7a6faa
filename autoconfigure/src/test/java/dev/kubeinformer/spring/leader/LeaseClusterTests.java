package dev.kubeinformer.spring.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.client.ConnectionGuard;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of which cluster has the Lease, and of who connects to it.
 */
class LeaseClusterTests {

	private final EmbeddedKubernetes hub = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.hub)
		.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url(), "kubernetes.leader.enabled=true",
				"kubernetes.leader.lease.name=web", "kubernetes.leader.lease.namespace=shop");

	@AfterEach
	void close() {
		this.hub.close();
		this.edge.close();
	}

	@Test
	void leaseShouldBeInTheDefaultCluster() {
		this.runner.run((context) -> {
			await().until(context.getBean(Leadership.class)::isLeader);
			assertThat(this.hub.resources(V1Lease.class).list()).hasSize(1);
			assertThat(this.edge.resources(V1Lease.class).list()).isEmpty();
		});
	}

	@Test
	void leaseMayBeInAClusterThatHasAName() {
		this.runner.withPropertyValues("kubernetes.leader.cluster=edge").run((context) -> {
			await().until(context.getBean(Leadership.class)::isLeader);
			assertThat(this.edge.resources(V1Lease.class).list()).singleElement()
				.satisfies((lease) -> assertThat(lease.getMetadata().getName()).isEqualTo("web"));
			assertThat(this.hub.resources(V1Lease.class).list()).isEmpty();
		});
	}

	@Test
	void clusterThatIsNotConfiguredShouldFailTheStart() {
		this.runner.withPropertyValues("kubernetes.leader.cluster=edgee")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessage(
							"'kubernetes.leader.cluster' is 'edgee', but no cluster of that name is configured");
					assertThat(ex.getAction()).startsWith("Did you mean 'edge'? Correct the name, or configure the "
							+ "cluster below 'kubernetes.clusters.edgee'. The clusters are 'edge'; ");
				}));
	}

	@Test
	void electorShouldUseNoClientThatTheTestDoesNotAllow() {
		this.runner.withBean(ConnectionGuard.class, () -> (client) -> {
			throw new IllegalStateException("not allowed");
		}).run((context) -> {
			LeaderElector elector = (LeaderElector) context.getBean(Leadership.class);
			await().until(() -> elector.status().lastError() != null);
			assertThat(this.hub.requests()).noneMatch((request) -> request.path().contains("leases"));
		});
	}

	@Test
	void phasesShouldFollowEachOther() {
		this.runner.run((context) -> {
			int elector = context.getBean(LeadershipLifecycle.class).getPhase();
			assertThat(elector).isEqualTo(Integer.MAX_VALUE - 3072);
			// Beans with a higher phase stop first.
			assertThat(context.getBean(LeaderOnlyCalls.class).getPhase()).isGreaterThan(elector)
				.isLessThan(Integer.MAX_VALUE - 2048);
			assertThat(context.getBean(LeadershipEventPublisher.class).getPhase()).isLessThan(elector)
				.isGreaterThan(Integer.MAX_VALUE - 4096);
		});
	}

}
