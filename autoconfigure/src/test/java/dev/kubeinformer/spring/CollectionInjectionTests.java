package dev.kubeinformer.spring;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.cluster.ClusterListers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests that injection points of collections get beans, and no informer or lister that is
 * made on demand, unless {@link InformerSource} asks for it.
 */
class CollectionInjectionTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.enabled=false", "kubernetes.clusters.edge.url=http://127.0.0.1:1");

	@Test
	void beanOfTheTypeOfTheCollectionShouldBeInjectedUnderAnyName() {
		this.runner.withUserConfiguration(Library.class).withBean(OfLibrary.class).run((context) -> {
			OfLibrary points = context.getBean(OfLibrary.class);
			assertThat(points.listOfInformers).isSameAs(context.getBean("serviceSharedIndexInformers"));
			assertThat(points.setOfListers).isSameAs(context.getBean("cloudListers"));
			assertThat(points.mapOfListers).isSameAs(context.getBean("cloudListersByName"));
			assertThat(points.arrayOfInformers).isSameAs(context.getBean("cloudArray"));
			assertThat(points.provided.getObject()).isSameAs(context.getBean("serviceSharedIndexInformers"));
			assertThat(context.getBean(Informers.class).all()).isEmpty();
		});
	}

	@Test
	void nothingShouldBeMadeForCollections() {
		this.runner.withBean(Empty.class).withBean(User.class).run((context) -> {
			Empty points = context.getBean(User.class).empty;
			assertThat(points.list).isNull();
			assertThat(points.collection).isNull();
			assertThat(points.set).isNull();
			assertThat(points.map).isNull();
			assertThat(points.array).isNull();
			assertThat(points.ofCluster).isNull();
			assertThat(points.ofClusters).isNull();
			assertThat(points.provider.stream()).isEmpty();
			assertThat(points.provider.orderedStream()).isEmpty();
			assertThat(points.provider).isEmpty();
			assertThat(points.informers.stream()).isEmpty();
			assertThat(points.collections.getIfAvailable()).isNull();
			assertThat(points.streamedByConstructor).isEmpty();
			assertThat(context.getBeansOfType(Lister.class)).isEmpty();
			assertThat(context.getBeansOfType(SharedInformer.class)).isEmpty();
			assertThat(context.getBean(Informers.class).all()).isEmpty();
			assertThat(points.provider.getObject()).isNotNull();
			assertThat(context.getBean(Informers.class).all()).hasSize(1);
		});
	}

	@Test
	void constructorShouldGetEmptyCollections() {
		this.runner.withBean(Constructed.class).run((context) -> {
			Constructed points = context.getBean(Constructed.class);
			assertThat(points.list).isEmpty();
			assertThat(points.map).isEmpty();
			assertThat(points.array).isEmpty();
			assertThat(context.getBean(Informers.class).all()).isEmpty();
		});
	}

	@Test
	void beansOfTheElementTypeShouldBeCollectedAlone() {
		this.runner.withUserConfiguration(Own.class).withBean(Empty.class).run((context) -> {
			Empty points = context.getBean(Empty.class);
			assertThat(points.list).singleElement().isSameAs(context.getBean("nodes"));
			assertThat(points.map).containsOnlyKeys("nodes");
			assertThat(points.provider.stream()).hasSize(1);
			assertThat(context.getBean(Informers.class).all()).isEmpty();
		});
	}

	@Test
	void annotationShouldAskForAnElement() {
		this.runner.withUserConfiguration(Library.class).withBean(Annotated.class).run((context) -> {
			Annotated points = context.getBean(Annotated.class);
			assertThat(points.list).singleElement().isInstanceOf(Informer.class);
			assertThat(points.map.values()).singleElement().isInstanceOf(Lister.class);
			assertThat(points.array).hasSize(1);
			assertThat(context.getBean(Informers.class).all()).hasSize(3);
		});
	}

	@Configuration(proxyBeanMethods = false)
	@SuppressWarnings({ "unchecked", "rawtypes" })
	static class Library {

		@Bean
		List<SharedIndexInformer<V1Service>> serviceSharedIndexInformers() {
			return List.<SharedIndexInformer<V1Service>>of(mock(SharedIndexInformer.class));
		}

		@Bean
		Set<Lister<V1Service>> cloudListers() {
			return Set.of(new Lister<>(new Cache<>()));
		}

		@Bean
		Map<String, Lister<V1Service>> cloudListersByName() {
			return Map.of("one", new Lister<>(new Cache<>()));
		}

		@Bean
		SharedIndexInformer<V1Service>[] cloudArray() {
			return new SharedIndexInformer[] { mock(SharedIndexInformer.class) };
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Own {

		@Bean
		Lister<V1Node> nodes() {
			return new Lister<>(new Cache<>());
		}

	}

	static class OfLibrary {

		@Autowired
		List<SharedIndexInformer<V1Service>> listOfInformers;

		@Autowired
		Set<Lister<V1Service>> setOfListers;

		@Autowired
		Map<String, Lister<V1Service>> mapOfListers;

		@Autowired
		SharedIndexInformer<V1Service>[] arrayOfInformers;

		@Autowired
		ObjectProvider<List<SharedIndexInformer<V1Service>>> provided;

	}

	static class Empty {

		@Autowired(required = false)
		List<Lister<V1Node>> list;

		@Autowired(required = false)
		Collection<Informer<V1Node>> collection;

		@Autowired(required = false)
		Set<Informer<V1Node>> set;

		@Autowired(required = false)
		Map<String, Lister<V1Node>> map;

		@Autowired(required = false)
		Informer<V1Node>[] array;

		@Autowired(required = false)
		@Qualifier("edge")
		List<Lister<V1Node>> ofCluster;

		@Autowired(required = false)
		List<ClusterListers<V1Node>> ofClusters;

		@Autowired
		ObjectProvider<Lister<V1Node>> provider;

		@Autowired
		ObjectProvider<Informer<V1Node>> informers;

		@Autowired
		ObjectProvider<List<Lister<V1Node>>> collections;

		final List<Lister<V1Node>> streamedByConstructor;

		Empty(ObjectProvider<Lister<V1Node>> provider) {
			this.streamedByConstructor = provider.stream().toList();
		}

	}

	static class User {

		@Autowired
		Empty empty;

	}

	record Constructed(List<Lister<V1Node>> list, Map<String, Informer<V1Node>> map, Lister<V1Node>[] array) {

	}

	static class Annotated {

		@Autowired
		@InformerSource
		List<SharedIndexInformer<V1Service>> list;

		@Autowired
		@InformerSource
		Map<String, Lister<V1ConfigMap>> map;

		@Autowired
		@InformerSource(labelSelector = "app=a")
		Lister<V1Node>[] array;

	}

}
