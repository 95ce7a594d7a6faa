package dev.kubeinformer.spring.cluster;

import java.util.List;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests of injection from several clusters. */
class ClusterInjectionTests {

	private final EmbeddedKubernetes here = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes west = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.here)
		.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url(),
				"kubernetes.clusters.west.url=" + this.west.url());

	ClusterInjectionTests() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "here"));
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "edge"));
		this.west.resources(V1Pod.class).create(TestObjects.pod("web", "west"));
	}

	@AfterEach
	void close() {
		this.here.close();
		this.edge.close();
		this.west.close();
	}

	private static List<String> names(Lister<V1Pod> pods) {
		return pods.list().stream().map((pod) -> pod.getMetadata().getName()).toList();
	}

	@Test
	void qualifiedPointsShouldBeOfTheirCluster() {
		this.runner.withBean(Qualified.class).withUserConfiguration(Parameters.class).run((context) -> {
			Qualified bean = context.getBean(Qualified.class);
			await().untilAsserted(() -> {
				assertThat(names(bean.pods)).containsExactly("edge");
				assertThat(names(bean.field)).containsExactly("west");
				assertThat(names(bean.provider.getObject())).containsExactly("edge");
				assertThat(bean.informer.lister().list()).hasSize(1);
				assertThat(names(context.getBean(Read.class).pods())).containsExactly("west");
			});
			assertThat(bean.shared).isInstanceOf(Informer.class);
			assertThat(bean.informer.cluster()).isEqualTo("edge");
			assertThat(bean.informer.id()).isEqualTo("edge.pods");
			assertThat(bean.informers).isSameAs(context.getBean(InformerClusters.class).get("edge"));
			assertThat(bean.informers.cluster()).isEqualTo("edge");
			assertThat(bean.client.getBasePath()).isEqualTo(this.edge.url());
		});
	}

	@Test
	void unqualifiedPointsShouldBeOfTheDefaultCluster() {
		this.runner.withBean(Unqualified.class).run((context) -> {
			Unqualified bean = context.getBean(Unqualified.class);
			await().untilAsserted(() -> assertThat(names(bean.pods)).containsExactly("here"));
			assertThat(bean.listers).singleElement()
				.satisfies((pods) -> assertThat(names(pods)).containsExactly("here"));
			assertThat(bean.informers).containsExactly(context.getBean(InformerClusters.class).get("default"));
			assertThat(bean.clients).extracting(ApiClient::getBasePath).containsExactly(this.here.url());
			assertThat(bean.single).isSameAs(bean.informers.get(0));
			assertThat(bean.provided.stream()).containsExactly(bean.single);
			assertThat(context.getBean(Informers.class)).isSameAs(bean.single);
		});
	}

	@Test
	void unqualifiedPointsShouldNotFallBackWhenThereIsNoDefaultCluster() {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url())
			.withBean(EdgeReader.class)
			.run((context) -> {
				await().untilAsserted(
						() -> assertThat(names(context.getBean(EdgeReader.class).pods)).containsExactly("edge"));
				assertThat(context.getBean(Informers.class).cluster()).isEqualTo("default");
			});
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url())
			.withBean(Unqualified.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("No Kubernetes cluster is configured"));
	}

	@Test
	void sourceShouldNameACluster() {
		this.runner.withBean(Sources.class).withPropertyValues("app.cluster=west").run((context) -> {
			Sources bean = context.getBean(Sources.class);
			await().untilAsserted(() -> {
				assertThat(names(bean.edge)).containsExactly("edge");
				assertThat(names(bean.west)).containsExactly("west");
				assertThat(names(bean.both)).containsExactly("edge");
			});
		});
	}

	@Test
	void sourceThatNamesSeveralClustersShouldFailForOneLister() {
		this.runner.withBean(AllPods.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("'*'")
				.hasMessageContaining("a 'Lister' shows the objects of one cluster"));
	}

	@Test
	void sourceThatContradictsItsQualifierShouldFail() {
		this.runner.withBean(Contradiction.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("names the cluster 'west', but its qualifier is 'edge'"));
	}

	@Test
	void unknownClusterShouldFailWithWhatMayBeMeant() {
		this.runner.withBean(Misspelt.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(UnknownClusterException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("names the cluster 'edgy', which does not exist");
					assertThat(ex.getAction()).contains("Did you mean 'edge'?", "'edge', 'west'");
				}));
	}

	@Test
	void listersOfSeveralClustersShouldFollowClustersThatComeAndGo() {
		this.runner.withBean(Several.class).run((context) -> {
			Several bean = context.getBean(Several.class);
			await().untilAsserted(() -> {
				assertThat(bean.all.all()).containsOnlyKeys("edge", "west");
				assertThat(names(bean.all.get("west"))).containsExactly("west");
				assertThat(bean.some.all()).containsOnlyKeys("default", "edge");
				assertThat(names(bean.some.get("default"))).containsExactly("here");
			});
			InformerClusters clusters = context.getBean(InformerClusters.class);
			clusters.add("late", context.getBean(ApiClient.class));
			await().untilAsserted(() -> {
				assertThat(bean.all.all()).containsOnlyKeys("edge", "late", "west");
				assertThat(names(bean.all.get("late"))).containsExactly("here");
			});
			Lister<V1Pod> late = bean.all.get("late");
			clusters.remove("late");
			assertThat(late.list()).isEmpty();
			assertThat(bean.all.all()).containsOnlyKeys("edge", "west");
		});
	}

	@Test
	void clientOfTheApplicationShouldBePreferred() {
		this.runner.withUserConfiguration(OwnClient.class)
			.withPropertyValues("test.url=" + this.west.url())
			.withBean(EdgeReader.class)
			.run((context) -> {
				assertThat(context).doesNotHaveBean("kubernetesApiClient.edge");
				await().untilAsserted(
						() -> assertThat(names(context.getBean(EdgeReader.class).pods)).containsExactly("west"));
			});
	}

	@Test
	void clientOfAClusterShouldNotBeThatOfTheDefaultOneWhenItIsADefaultCandidate() {
		InformerContextRunner.with(this.here)
			.withUserConfiguration(EdgeClient.class)
			.withPropertyValues("kubernetes.clusters.edge=", "test.url=" + this.edge.url(),
					"kubernetes.leader.enabled=true", "kubernetes.leader.lease.name=web",
					"kubernetes.leader.lease.namespace=shop")
			.withBean(EdgeReader.class)
			.withBean(DefaultReader.class)
			.run((context) -> {
				await().untilAsserted(() -> {
					assertThat(names(context.getBean(EdgeReader.class).pods)).containsExactly("edge");
					assertThat(names(context.getBean(DefaultReader.class).pods)).containsExactly("here");
					assertThat(this.here.requests()).anyMatch((request) -> request.path().contains("leases"));
				});
				assertThat(this.edge.requests()).noneMatch((request) -> request.path().contains("leases"));
				assertThat(context.getBean("kubernetesApiClient", ApiClient.class).getBasePath())
					.isEqualTo(this.here.url());
			});
	}

	@Test
	void clientNamedAsAClusterShouldNotBeThatOfTheDefaultOne() {
		InformerContextRunner.with(this.here)
			.withBean("edge", ApiClient.class, () -> new ApiClient().setBasePath(this.edge.url()))
			.withPropertyValues("kubernetes.clusters.edge=")
			.withBean(EdgeReader.class)
			.withBean(DefaultReader.class)
			.run((context) -> await().untilAsserted(() -> {
				assertThat(names(context.getBean(EdgeReader.class).pods)).containsExactly("edge");
				assertThat(names(context.getBean(DefaultReader.class).pods)).containsExactly("here");
			}));
	}

	@Test
	void clientOfTheApplicationWithoutQualifierShouldBeThatOfTheDefaultCluster() {
		InformerContextRunner.withoutCluster()
			.withUserConfiguration(EdgeClient.class)
			.withBean("own", ApiClient.class, () -> new ApiClient().setBasePath(this.here.url()))
			.withPropertyValues("kubernetes.clusters.edge=", "test.url=" + this.edge.url())
			.withBean(EdgeReader.class)
			.withBean(DefaultReader.class)
			.run((context) -> {
				assertThat(context).doesNotHaveBean("kubernetesApiClient");
				await().untilAsserted(() -> {
					assertThat(names(context.getBean(EdgeReader.class).pods)).containsExactly("edge");
					assertThat(names(context.getBean(DefaultReader.class).pods)).containsExactly("here");
				});
			});
	}

	@Test
	void clientOfAClusterInThePlaceOfTheDefaultOneShouldFail() {
		InformerContextRunner.with(this.here)
			.withBean("kubernetesApiClient", ApiClient.class, ApiClient::new,
					(definition) -> ((AbstractBeanDefinition) definition)
						.addQualifier(new AutowireCandidateQualifier(Qualifier.class, "edge")))
			.withPropertyValues("kubernetes.clusters.edge=")
			.withBean(DefaultReader.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("The default cluster has no ApiClient")
						.hasMessageContaining("'kubernetesApiClient'");
					assertThat(ex.getAction()).contains("@Bean(defaultCandidate = false)");
				}));
	}

	@Test
	void connectionDetailsOfAClusterShouldNotBeThoseOfTheDefaultOne() {
		InformerContextRunner.with(this.here)
			.withUserConfiguration(EdgeDetails.class)
			.withPropertyValues("kubernetes.clusters.edge=", "test.url=" + this.edge.url())
			.withBean(EdgeReader.class)
			.withBean(Unqualified.class)
			.run((context) -> await().untilAsserted(() -> {
				assertThat(names(context.getBean(EdgeReader.class).pods)).containsExactly("edge");
				assertThat(names(context.getBean(Unqualified.class).pods)).containsExactly("here");
			}));
	}

	@Test
	void connectionDetailsWithoutQualifierShouldBeThoseOfTheDefaultCluster() {
		InformerContextRunner.withoutCluster()
			.withBean("details", KubernetesConnectionDetails.class, () -> this.here::url)
			.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url())
			.withBean(EdgeReader.class)
			.withBean(Unqualified.class)
			.run((context) -> await().untilAsserted(() -> {
				assertThat(names(context.getBean(EdgeReader.class).pods)).containsExactly("edge");
				assertThat(names(context.getBean(Unqualified.class).pods)).containsExactly("here");
			}));
	}

	static class Qualified {

		final Lister<V1Pod> pods;

		final ObjectProvider<Lister<V1Pod>> provider;

		final SharedIndexInformer<V1Pod> shared;

		final Informer<V1Pod> informer;

		final Informers informers;

		final ApiClient client;

		@Autowired
		@Qualifier("west")
		Lister<V1Pod> field;

		Qualified(@Qualifier("edge") Lister<V1Pod> pods, @Qualifier("edge") ObjectProvider<Lister<V1Pod>> provider,
				@Qualifier("edge") SharedIndexInformer<V1Pod> shared, @Qualifier("edge") Informer<V1Pod> informer,
				@Qualifier("edge") Informers informers, @Qualifier("edge") ApiClient client) {
			this.pods = pods;
			this.provider = provider;
			this.shared = shared;
			this.informer = informer;
			this.informers = informers;
			this.client = client;
		}

	}

	record Read(Lister<V1Pod> pods) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Parameters {

		@Bean
		Read read(@Qualifier("west") Lister<V1Pod> pods) {
			return new Read(pods);
		}

	}

	static class Unqualified {

		final Lister<V1Pod> pods;

		final List<Lister<V1Pod>> listers;

		final List<Informers> informers;

		final List<ApiClient> clients;

		final Informers single;

		final ObjectProvider<Informers> provided;

		Unqualified(Lister<V1Pod> pods, @InformerSource List<Lister<V1Pod>> listers, List<Informers> informers,
				List<ApiClient> clients, Informers single, ObjectProvider<Informers> provided) {
			this.pods = pods;
			this.listers = listers;
			this.informers = informers;
			this.clients = clients;
			this.single = single;
			this.provided = provided;
		}

	}

	static class EdgeReader {

		final Lister<V1Pod> pods;

		EdgeReader(@Qualifier("edge") Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

	static class DefaultReader {

		final Lister<V1Pod> pods;

		DefaultReader(Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

	static class Sources {

		final Lister<V1Pod> edge;

		final Lister<V1Pod> west;

		final Lister<V1Pod> both;

		Sources(@InformerSource(cluster = "edge") Lister<V1Pod> edge,
				@InformerSource(cluster = "${app.cluster}") Lister<V1Pod> west,
				@Qualifier("edge") @InformerSource(cluster = "edge", namespaces = "web") Lister<V1Pod> both) {
			this.edge = edge;
			this.west = west;
			this.both = both;
		}

	}

	static class AllPods {

		AllPods(@InformerSource(cluster = "*") Lister<V1Pod> pods) {
		}

	}

	static class Contradiction {

		Contradiction(@Qualifier("edge") @InformerSource(cluster = "west") Lister<V1Pod> pods) {
		}

	}

	static class Misspelt {

		Misspelt(@InformerSource(cluster = "edgy") Lister<V1Pod> pods) {
		}

	}

	static class Several {

		final ClusterListers<V1Pod> all;

		final ClusterListers<V1Pod> some;

		Several(ClusterListers<V1Pod> all,
				@InformerSource(cluster = { "default", "edge" }) ClusterListers<V1Pod> some) {
			this.all = all;
			this.some = some;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClient {

		@Bean(defaultCandidate = false)
		@Qualifier("edge")
		ApiClient ownClient(Environment environment) {
			return new ApiClient().setBasePath(environment.getRequiredProperty("test.url"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EdgeClient {

		@Bean
		@Qualifier("edge")
		ApiClient edgeClient(Environment environment) {
			return new ApiClient().setBasePath(environment.getRequiredProperty("test.url"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EdgeDetails {

		@Bean(defaultCandidate = false)
		@Qualifier("edge")
		KubernetesConnectionDetails ownDetails(Environment environment) {
			return () -> environment.getRequiredProperty("test.url");
		}

	}

}
