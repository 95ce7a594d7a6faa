package dev.kubeinformer.spring.autoconfigure.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SetFactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.Order;
import org.springframework.test.util.ReflectionTestUtils;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.CustomObject;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of transforms and indexes that are beans of a model class.
 */
class ModelBeansTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes here = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.here);

	@AfterEach
	void close() {
		this.here.close();
		this.edge.close();
	}

	@Test
	void informersOfAClassShouldHaveTheBeansWhoeverAsksForThem() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "a"));
		this.runner.withUserConfiguration(PodBeans.class).withBean(PodReader.class).run((context) -> {
			PodReader reader = context.getBean(PodReader.class);
			await().untilAsserted(() -> assertThat(reader.handled).hasSize(1));
			assertThat(reader.handled.get(0).getSpec()).isNull();
			// By order, and not by the order of the methods.
			assertThat(reader.handled.get(0).getMetadata().getLabels()).containsEntry("steps", "first second");
			assertThat(reader.pods.getIndexer().byIndex("by-name", "a")).hasSize(1);
			Informer<V1Pod> asked = context.getBean(Informers.class)
				.informer(InformerSpec.of(V1Pod.class).withNamespaces("web"));
			assertThat(asked.awaitSync(LONG)).isTrue();
			assertThat(asked.getIndexer().byIndex("by-name", "a")).singleElement()
				.satisfies((pod) -> assertThat(pod.getSpec()).isNull());
			Informer<Metadata<V1Pod>> metadata = context.getBean(Informers.class)
				.informer(InformerSpec.metadata(V1Pod.class));
			assertThat(metadata.awaitSync(LONG)).isTrue();
			assertThat(metadata.lister().get("web/a").getMetadata().getLabels()).containsEntry("metadata", "yes")
				.doesNotContainKey("steps");
			assertThat(metadata.getIndexer().getIndexers()).containsOnlyKeys("namespace");
			assertThat(context.getBean(Informers.class).informer(Gadget.class).getIndexer().getIndexers())
				.containsKey("custom");
		});
	}

	@Test
	void allClustersShouldUseTheBeansAndOneBoundOfPools() {
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "a"));
		this.runner.withUserConfiguration(PodBeans.class)
			.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url())
			.run((context) -> {
				InformerClusters clusters = context.getBean(InformerClusters.class);
				Informers added = clusters.add("late", new ApiClient().setBasePath(this.edge.url()));
				Object pools = pools(context.getBean(Informers.class));
				for (Informers informers : List.of(clusters.get("edge"), added)) {
					Informer<V1Pod> pods = informers.informer(V1Pod.class);
					assertThat(pods.awaitSync(LONG)).isTrue();
					assertThat(pods.getIndexer().byIndex("by-name", "a")).singleElement()
						.satisfies((pod) -> assertThat(pod.getSpec()).isNull());
					assertThat(pools(informers)).isSameAs(pools);
				}
			});
	}

	private static Object pools(Informers informers) {
		return Objects.requireNonNull(ReflectionTestUtils.invokeMethod(informers, "pools"));
	}

	@Test
	void informersOfTheApplicationShouldUseTheBeans() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "a"));
		withOwnInformers(InformerContextRunner.withoutCluster()).withUserConfiguration(PodBeans.class)
			.withBean(PodReader.class)
			.run((context) -> {
				PodReader reader = context.getBean(PodReader.class);
				await().untilAsserted(() -> assertThat(reader.handled).hasSize(1));
				assertThat(reader.handled.get(0).getSpec()).isNull();
				assertThat(reader.pods.getIndexer().byIndex("by-name", "a")).hasSize(1);
				Informers added = context.getBean(InformerClusters.class)
					.add("late", new ApiClient().setBasePath(this.edge.url()));
				assertThat(pools(added)).isSameAs(pools(context.getBean(Informers.class)));
			});
	}

	@Test
	void objectsThatATransformLosesShouldBeQuarantinedByTheirKeyAlone() {
		for (String name : List.of("kept", "lost", "moved")) {
			this.here.resources(V1Pod.class).create(TestObjects.pod("web", name));
		}
		this.runner.withUserConfiguration(Losing.class).run((context) -> {
			Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
			assertThat(pods.awaitSync(LONG)).isTrue();
			assertThat(pods.snapshot().keys()).containsExactly("web/kept");
			assertThat(pods.status().cache().quarantined()).isEqualTo(2);
			assertThat(pods.status().lastError().message()).containsPattern(
					"'web/(lost|moved)' is quarantined: it cannot be transformed, as transform 'losing' threw [^ ]*Transformed(ToNull|Identity)Exception")
				.doesNotContain("elsewhere");
		});
	}

	@Test
	void beanShouldBeCreatedWithTheFirstInformerOfItsClassAndMayReadOtherCaches() {
		this.runner.withUserConfiguration(ReadsNodes.class).run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("transform")).isFalse();
			context.getBean(Informers.class).informer(V1Node.class);
			assertThat(context.getBeanFactory().containsSingleton("transform")).isFalse();
			context.getBean(Informers.class).informer(V1Pod.class);
			assertThat(context.getBeanFactory().containsSingleton("transform")).isTrue();
		});
	}

	@Test
	void beansThatAreLazyShouldStaySoUntilAnInformerUsesThem() {
		this.runner.withUserConfiguration(LazyBeans.class).run((context) -> {
			ConfigurableListableBeanFactory beans = context.getBeanFactory();
			context.getBean(Informers.class).informer(V1Node.class);
			for (String name : List.of("one", "two", "unrelated", "made")) {
				assertThat(beans.containsSingleton(name)).as(name).isFalse();
			}
			assertThat(context.getBean(Informers.class).informer(V1Pod.class).getIndexer().getIndexers())
				.containsOnlyKeys("namespace", "one", "two");
			assertThat(beans.containsSingleton("made")).isTrue();
			assertThat(beans.containsSingleton("unrelated")).isFalse();
		});
	}

	@Test
	void beanInAScopeShouldCountOnceAndBeAskedAnewEachTime() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "a"));
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "b"));
		this.runner.withUserConfiguration(Scoped.class).run((context) -> {
			Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
			assertThat(pods.awaitSync(LONG)).isTrue();
			assertThat(pods.lister().list()).extracting((pod) -> pod.getMetadata().getLabels().get("steps"))
				.containsExactlyInAnyOrder("first 1 last", "first 2 last");
			assertThat(pods.getIndexer().byIndex("scoped", "a")).hasSize(1);
		});
	}

	@Test
	void informersOfTheApplicationThatWereBuiltWithoutTheBeansShouldBeRefused() {
		InformerContextRunner.withoutCluster()
			.withBean("own", Informers.class,
					() -> Informers.builder(new ApiClient().setBasePath(this.here.url())).build())
			.withUserConfiguration(PodBeans.class)
			.run((context) -> assertThat(failure(context.getStartupFailure())).hasMessage(
					"The application's own Informers bean 'own' does not use the InformerTransform and InformerIndex beans: '%s'",
					"second', 'first', 'ofMetadata', 'byName', 'custom")
				.extracting(InformerConfigurationException::getAction)
				.asString()
				.contains("Informers.Builder bean 'kubernetesInformersBuilder'"));
	}

	@Test
	void informersOfAChildContextThatWereBuiltWithoutTheBeansOfItsParentShouldBeRefused() {
		this.runner.withUserConfiguration(OneIndex.class)
			.run((parent) -> child(parent)
				.withBean("own", Informers.class, () -> Informers.builder(new ApiClient()).build(),
						(definition) -> definition.setPrimary(true))
				.run((context) -> assertThat(failure(context.getStartupFailure()))
					.hasMessageContaining("Informers bean 'own' does not use")
					.hasMessageEndingWith(": 'index'")));
	}

	private static InformerConfigurationException failure(Throwable thrown) {
		return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
			.filter(InformerConfigurationException.class::isInstance)
			.map(InformerConfigurationException.class::cast)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void beansShouldBeLookedForOnceForAllInformersOfAClass() {
		this.runner.withUserConfiguration(Counted.class).run((context) -> {
			Informers informers = context.getBean(Informers.class);
			informers.informer(V1Pod.class);
			informers.informer(V1Pod.class);
			informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("web"));
			assertThat(context.getBean(Counted.class).made).hasValue(1);
		});
	}

	@Test
	void indexOfTheNameOfABuiltInOneShouldFailTheStart() {
		this.runner.withUserConfiguration(Builtin.class)
			.withBean(PodReader.class)
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(InformerConfigurationException.class)
				.rootCause()
				.hasMessage("Bean 'index' is an index 'namespace' of '%s', and all informers have one of that name",
						V1Pod.class.getName()));
	}

	@Test
	void beanOfNoModelClassShouldFailTheStart() {
		for (Class<?> broken : List.of(Raw.class, Any.class, Wild.class)) {
			this.runner.withUserConfiguration(broken)
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(InformerConfigurationException.class)
					.hasMessageContaining("Bean 'broken' has the type")
					.hasMessageContaining("does not determine its resource")
					.extracting((failure) -> ((InformerConfigurationException) failure).getAction())
					.asString()
					.contains("<V1Pod>'"));
		}
	}

	@Test
	void twoIndexesOfOneNameShouldFailTheStart() {
		this.runner.withUserConfiguration(TwoIndexes.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessage("Beans 'one' and 'two' are both an index 'same' of '%s'", V1Pod.class.getName()));
	}

	@Test
	void childContextShouldUseTheBeansOfItsParent() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "a"));
		this.runner.withUserConfiguration(PodBeans.class)
			.run((parent) -> child(parent).withBean(PodReader.class).run((context) -> {
				PodReader reader = context.getBean(PodReader.class);
				await().untilAsserted(() -> assertThat(reader.handled).hasSize(1));
				assertThat(reader.handled.get(0).getSpec()).isNull();
				assertThat(reader.pods.getIndexer().byIndex("by-name", "a")).hasSize(1);
			}));
	}

	@ParameterizedTest
	@ValueSource(classes = { Losing.class, OneIndex.class })
	void beanOfAChildContextThatNoInformerUsesShouldFailItsStart(Class<?> configuration) {
		this.runner.run((parent) -> child(parent).withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("is a transform or an index in a child context")
				.extracting((failure) -> ((InformerConfigurationException) failure).getAction())
				.isEqualTo("Declare the bean in the parent context: all readers of the caches use it.")));
	}

	@Test
	void informersOfAChildContextShouldUseItsBeans() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "a"));
		this.runner.run((parent) -> withOwnInformers(child(parent)).withUserConfiguration(PodBeans.class)
			.withBean(PodReader.class)
			.run((context) -> {
				PodReader reader = context.getBean(PodReader.class);
				await().untilAsserted(() -> assertThat(reader.handled).hasSize(1));
				assertThat(reader.handled.get(0).getSpec()).isNull();
			}));
	}

	@Test
	void beansOfAParentShouldBeOrderedAmongThoseOfItsChild() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "a"));
		this.runner.withUserConfiguration(Scoped.class)
			.run((parent) -> withOwnInformers(child(parent)).withUserConfiguration(OfChild.class).run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				assertThat(pods.awaitSync(LONG)).isTrue();
				assertThat(pods.lister().get("web/a").getMetadata().getLabels()).containsEntry("steps",
						"zeroth first 1 last");
			}));
	}

	private ApplicationContextRunner withOwnInformers(ApplicationContextRunner runner) {
		return runner
			.withBean("ownClient", ApiClient.class, () -> new ApiClient().setBasePath(this.here.url()),
					(definition) -> definition.setPrimary(true))
			.withUserConfiguration(OwnInformers.class);
	}

	private static ApplicationContextRunner child(ApplicationContext parent) {
		return InformerContextRunner.withoutCluster().withParent(parent);
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInformers {

		@Bean
		@Primary
		Informers own(Informers.Builder builder) {
			return builder.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PodBeans {

		@Bean
		@Order(2)
		InformerTransform<V1Pod> second() {
			return (pod) -> pod.metadata(
					pod.getMetadata().putLabelsItem("steps", pod.getMetadata().getLabels().get("steps") + " second"));
		}

		@Bean
		@Order(1)
		InformerTransform<V1Pod> first() {
			return (pod) -> new V1Pod().metadata(pod.getMetadata().putLabelsItem("steps", "first"));
		}

		@Bean
		InformerTransform<Metadata<V1Pod>> ofMetadata() {
			return (pod) -> {
				pod.getMetadata().putLabelsItem("metadata", "yes");
				return pod;
			};
		}

		@Bean
		InformerIndex<V1Pod> byName() {
			return InformerIndex.of("by-name", (pod) -> List.of(pod.getMetadata().getName()));
		}

		@Bean
		InformerIndex<Gadget> custom() {
			return InformerIndex.of("custom", (object) -> List.of());
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "gadgets")
	static class Gadget extends CustomObject {

	}

	@InformerHandler
	static class PodReader {

		final List<V1Pod> handled = new CopyOnWriteArrayList<>();

		@Autowired
		Informer<V1Pod> pods;

		@OnAdd
		void added(V1Pod pod) {
			this.handled.add(pod);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Losing {

		@Bean
		@SuppressWarnings("NullAway")
		InformerTransform<V1Pod> losing() {
			return (pod) -> switch (pod.getMetadata().getName()) {
				case "lost" -> null;
				case "moved" -> new V1Pod().metadata(new V1ObjectMeta().namespace("elsewhere").name("moved"));
				default -> pod;
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReadsNodes {

		@Bean
		@Lazy
		InformerTransform<V1Pod> transform(Lister<V1Node> nodes) {
			return (pod) -> nodes.list().isEmpty() ? pod : pod.status(null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBeans {

		@Bean
		@Lazy
		InformerIndex<V1Pod> one() {
			return InformerIndex.of("one", (pod) -> List.of());
		}

		@Bean
		@Lazy
		InformerIndex<V1Pod> two() {
			return InformerIndex.of("two", (pod) -> List.of());
		}

		@Bean
		@Lazy
		FactoryBean<InformerTransform<V1Pod>> made() {
			return new FactoryBean<>() {

				@Override
				public InformerTransform<V1Pod> getObject() {
					return (pod) -> pod;
				}

				@Override
				public Class<?> getObjectType() {
					return InformerTransform.class;
				}

			};
		}

		@Bean
		@Lazy
		FactoryBean<?> unrelated() {
			return new SetFactoryBean();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		private final AtomicInteger made = new AtomicInteger();

		@Bean
		@Order(3)
		InformerTransform<V1Pod> last() {
			return (pod) -> step(pod, "last");
		}

		@Bean
		@Order(2)
		@Scope(scopeName = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.INTERFACES)
		InformerTransform<V1Pod> counting() {
			int instance = this.made.incrementAndGet();
			return (pod) -> step(pod, String.valueOf(instance));
		}

		@Bean
		@Order(1)
		InformerTransform<V1Pod> first() {
			return (pod) -> step(pod, "first");
		}

		@Bean
		@SuppressWarnings("NullAway")
		InformerTransform<V1Pod> none() {
			return null;
		}

		@Bean
		@Scope(scopeName = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.INTERFACES)
		InformerIndex<V1Pod> scoped() {
			return InformerIndex.of("scoped", (pod) -> List.of(pod.getMetadata().getName()));
		}

		private static V1Pod step(V1Pod pod, String step) {
			String before = pod.getMetadata().getLabels().getOrDefault("steps", "");
			pod.getMetadata().putLabelsItem("steps", (before + " " + step).strip());
			return pod;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfChild {

		@Bean
		@Order(0)
		InformerTransform<V1Pod> zeroth() {
			return (pod) -> Scoped.step(pod, "zeroth");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Raw {

		@Bean
		@SuppressWarnings("rawtypes")
		InformerTransform broken() {
			return (object) -> object;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Any {

		@Bean
		InformerTransform<KubernetesObject> broken() {
			return (object) -> object;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Wild {

		@Bean
		InformerIndex<? extends V1Pod> broken() {
			return InformerIndex.of("any", (V1Pod pod) -> List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoIndexes {

		@Bean
		InformerIndex<V1Pod> one() {
			return InformerIndex.of("same", (pod) -> List.of());
		}

		@Bean
		InformerIndex<V1Pod> two() {
			return InformerIndex.of("same", (pod) -> List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneIndex {

		@Bean
		InformerIndex<V1Pod> index() {
			return InformerIndex.of("one", (pod) -> List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Builtin {

		@Bean
		InformerIndex<V1Pod> index() {
			return InformerIndex.of("namespace", (pod) -> List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Counted {

		private final AtomicInteger made = new AtomicInteger();

		@Bean
		@Scope(BeanDefinition.SCOPE_PROTOTYPE)
		InformerTransform<V1Pod> counted() {
			this.made.incrementAndGet();
			return (pod) -> pod;
		}

	}

}
