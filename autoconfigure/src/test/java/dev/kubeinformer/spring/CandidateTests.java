package dev.kubeinformer.spring;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Service;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.cluster.ClusterListers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests that listers and informers which are made on demand never stand in for the beans
 * of others: in conditions, in collections, and anywhere while informers are off.
 */
class CandidateTests {

	private static final String OFF = "kubernetes.informers.enabled=false";

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false",
				"kubernetes.clusters.edge.url=http://127.0.0.1:1");

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void conditionsOfLibrariesShouldNotSeeWhatIsMadeOnDemand(boolean enabled) {
		this.runner.withPropertyValues("kubernetes.informers.enabled=" + enabled)
			.withConfiguration(AutoConfigurations.of(LibraryAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.hasBean("informerOfLibrary")
					.hasBean("listerOfLibrary")
					.doesNotHaveBean("needsListers");
				assertThat(context.getBean(Informers.class).all()).isEmpty();
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void collectionOfALibraryShouldBeInjectedWhole(boolean enabled) {
		this.runner.withPropertyValues("kubernetes.informers.enabled=" + enabled)
			.withUserConfiguration(Collections.class)
			.withBean(Services.class)
			.withBean(Both.class)
			.run((context) -> {
				Services services = context.getBean(Services.class);
				assertThat(services.list).isSameAs(context.getBean("listers"));
				assertThat(services.wildcards).isSameAs(context.getBean("listers"));
				assertThat(services.set).isSameAs(context.getBean("informers"));
				assertThat(services.map).isSameAs(context.getBean("byName"));
				assertThat(services.array).isSameAs(context.getBean("array"));
				assertThat(services.provided.getObject()).isSameAs(context.getBean("listers"));
				assertThat(services.optional.orElseThrow()).isSameAs(context.getBean("listers"));
				Both both = context.getBean(Both.class);
				assertThat(both.kubernetesLister).isSameAs(context.getBean("listers"));
				assertThat(both.services).isNotNull().isNotIn(both.kubernetesLister);
				assertThat(context.getBean(Informers.class).all()).hasSize(1);
			});
	}

	@Test
	void optionalPointsShouldBeEmptyWhileInformersAreOff() {
		this.runner.withPropertyValues(OFF).withBean(Points.class).run((context) -> {
			Points points = context.getBean(Points.class);
			assertThat(points.optional).isEmpty();
			assertThat(points.field).isNull();
			assertThat(points.nullable).isNull();
			assertThat(points.ofCluster).isNull();
			assertThat(points.listers).isNull();
			assertThat(points.provider.getIfAvailable()).isNull();
			assertThat(points.provider.getIfUnique()).isNull();
			assertThat(points.shared.getIfAvailable()).isNull();
			assertThat(points.provider.stream()).isEmpty();
			assertThat(context.getBeansOfType(Lister.class)).isEmpty();
			assertThat(context.getBeansOfType(SharedInformer.class)).isEmpty();
			assertThat(context.getBean(Informers.class).all()).isEmpty();
			assertThat(points.provider.getObject().list()).isEmpty();
		});
	}

	@Test
	void optionalPointsShouldBeFilledWhileInformersAreOn() {
		this.runner.withBean(Points.class).run((context) -> {
			Points points = context.getBean(Points.class);
			assertThat(points.optional).isPresent();
			assertThat(points.field).isNotNull();
			assertThat(points.nullable).isNotNull();
			assertThat(points.ofCluster).isNotNull();
			assertThat(points.listers).isNotNull();
			assertThat(points.provider.getIfAvailable()).isNotNull();
			assertThat(points.shared.getIfUnique()).isNotNull();
		});
	}

	@Test
	void runnerOfTheStarterShouldNotCompeteWithThatOfTheApplication() {
		this.runner.withUserConfiguration(OneRunner.class)
			.withConfiguration(AutoConfigurations.of(RunnerOfLibrary.class))
			.run((context) -> {
				assertThat(context.getBean(ApplicationRunner.class)).isSameAs(context.getBean("runnerOfApplication"));
				assertThat(context.getBean("userOfRunner")).isSameAs("");
				assertThat(context).doesNotHaveBean("runnerOfLibrary");
			});
		this.runner.withConfiguration(AutoConfigurations.of(RunnerOfLibrary.class))
			.run((context) -> assertThat(context).hasBean("runnerOfLibrary"));
	}

	@Test
	void openBeanShouldBeInjectedWhileInformersAreOff() {
		this.runner.withPropertyValues(OFF)
			.withUserConfiguration(Open.class)
			.withBean(Single.class)
			.run((context) -> assertThat(context.getBean(Single.class).pods)
				.isSameAs(context.getBean("listerWithoutType")));
	}

	@Configuration(proxyBeanMethods = false)
	static class OneRunner {

		@Bean
		ApplicationRunner runnerOfApplication() {
			return (arguments) -> {
			};
		}

		@Bean
		String userOfRunner(ApplicationRunner runner) {
			return "";
		}

	}

	@AutoConfiguration(after = InformerAutoConfiguration.class)
	static class RunnerOfLibrary {

		@Bean
		@ConditionalOnMissingBean(ApplicationRunner.class)
		ApplicationRunner runnerOfLibrary() {
			return (arguments) -> {
			};
		}

	}

	@AutoConfiguration(after = InformerAutoConfiguration.class)
	@SuppressWarnings("unchecked")
	static class LibraryAutoConfiguration {

		@Bean
		@ConditionalOnBean(Lister.class)
		String needsListers() {
			return "";
		}

		@Bean
		@ConditionalOnMissingBean(SharedInformer.class)
		SharedIndexInformer<V1Pod> informerOfLibrary() {
			return mock(SharedIndexInformer.class);
		}

		@Bean
		@ConditionalOnMissingBean(Lister.class)
		Lister<V1Pod> listerOfLibrary() {
			return new Lister<>(new Cache<>());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@SuppressWarnings({ "unchecked", "rawtypes" })
	static class Collections {

		@Bean
		List<Lister<V1Service>> listers() {
			return List.of(new Lister<>(new Cache<>()));
		}

		@Bean
		Set<SharedIndexInformer<V1Service>> informers() {
			return Set.<SharedIndexInformer<V1Service>>of(mock(SharedIndexInformer.class));
		}

		@Bean
		Map<String, SharedIndexInformer<V1Service>> byName() {
			return Map.<String, SharedIndexInformer<V1Service>>of("a", mock(SharedIndexInformer.class));
		}

		@Bean
		Lister<V1Service>[] array() {
			return new Lister[] { new Lister<V1Service>(new Cache<>()) };
		}

	}

	abstract static class Typed<T extends KubernetesObject> {

		@Autowired
		List<Lister<T>> list;

		@Autowired
		List<? extends Lister<T>> wildcards;

		@Autowired
		Set<SharedIndexInformer<T>> set;

		@Autowired
		Map<String, SharedIndexInformer<T>> map;

		@Autowired
		Lister<T>[] array;

		@Autowired
		ObjectProvider<List<Lister<T>>> provided;

		@Autowired
		Optional<List<Lister<T>>> optional;

	}

	static class Services extends Typed<V1Service> {

	}

	record Both(List<Lister<V1Service>> kubernetesLister, Lister<V1Service> services) {

	}

	static class Points {

		@Autowired
		Optional<Lister<V1Node>> optional;

		@Autowired(required = false)
		SharedIndexInformer<V1Node> field;

		@Autowired(required = false)
		@Qualifier("edge")
		Informer<V1Node> ofCluster;

		@Autowired(required = false)
		ClusterListers<V1Node> listers;

		final @Nullable Lister<V1Node> nullable;

		final ObjectProvider<Lister<V1Node>> provider;

		final ObjectProvider<SharedInformer<V1Node>> shared;

		Points(@Nullable Lister<V1Node> nullable, ObjectProvider<Lister<V1Node>> provider,
				ObjectProvider<SharedInformer<V1Node>> shared) {
			this.nullable = nullable;
			this.provider = provider;
			this.shared = shared;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Open {

		@Bean
		@SuppressWarnings("rawtypes")
		Lister listerWithoutType() {
			return new Lister<>(new Cache<>());
		}

	}

	record Single(Lister<V1Pod> pods) {

	}

}
