package dev.kubeinformer.spring.cluster;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what there is for each cluster.
 */
class ClusterRuntimesTests {

	@Test
	void defaultClusterShouldBeThereAlone() {
		InformerContextRunner.withoutCluster().run((context) -> {
			ClusterRuntimes runtimes = context.getBean(ClusterRuntimes.class);
			assertThat(runtimes.isMultiple()).isFalse();
			assertThat(runtimes.all()).singleElement().satisfies((cluster) -> {
				assertThat(cluster.isDefault()).isTrue();
				assertThat(cluster.readiness()).isTrue();
				assertThat(cluster.informers()).isSameAs(context.getBean(Informers.class));
			});
			assertThat(context.getBean(InformerClusters.class).names()).isEmpty();
			assertThat(context.getBean(InformerClusters.class).get("default"))
				.isSameAs(context.getBean(Informers.class));
		});
	}

	@Test
	void clustersShouldBeThereWhenInformersAreOff() {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.informers.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(ClusterRuntimes.class));
	}

	@Test
	void clustersOfTheApplicationShouldTakeThePlaceOfOurs() {
		InformerClusters own = new DefaultInformerClusters(
				new DefaultClusterRuntimes(null, List.of(), true, (name, client) -> null));
		InformerContextRunner.withoutCluster()
			.withBean("ownClusters", InformerClusters.class, () -> own)
			.run((context) -> {
				assertThat(context.getBean(InformerClusters.class)).isSameAs(own);
				assertThat(context).hasSingleBean(ClusterRuntimes.class);
			});
	}

	@Test
	void stopShouldReachNamedClustersThoughTheDefaultOneWasStoppedByHand() {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1")
			.run((context) -> {
				Informers edge = context.getBean(InformerClusters.class).get("edge");
				assertThat(edge.isRunning()).isTrue();
				context.getBean(Informers.class).stop();
				assertThat(edge.isRunning()).isTrue();
				context.getSourceApplicationContext(ConfigurableApplicationContext.class).stop();
				assertThat(edge.isRunning()).isFalse();
			});
	}

	@Test
	void childContextShouldShareThoseOfItsParent() {
		InformerContextRunner.withoutCluster()
			.run((parent) -> new ApplicationContextRunner().withParent(parent)
				.withConfiguration(
						AutoConfigurations.of(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class))
				.run((child) -> assertThat(child.getBean(ClusterRuntimes.class))
					.isSameAs(parent.getBean(ClusterRuntimes.class))));
	}

}
