package dev.kubeinformer.spring.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.model.InformerTransform;
import dev.kubeinformer.spring.inject.ClusterInjection;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an application with clusters that is processed ahead of time.
 */
@Tag("slow")
class ClusterAotTests {

	private final EmbeddedKubernetes here = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes own = EmbeddedKubernetes.start();

	@AfterEach
	void close() {
		this.here.close();
		this.edge.close();
		this.own.close();
	}

	private static TestGenerationContext process(String... properties) {
		AnnotationConfigApplicationContext processed = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(InformerContextRunner.NO_CLUSTER)
			.and("kubernetes.clusters.edge.url=http://build:1", "kubernetes.clusters.own=", "own.url=http://build:1")
			.and(properties)
			.applyTo(processed);
		processed.register(Application.class);
		TestGenerationContext generation = new TestGenerationContext();
		new ApplicationContextAotGenerator().processAheadOfTime(processed, generation);
		generation.writeGeneratedContent();
		return generation;
	}

	@Test
	@CompileWithForkedClassLoader
	void generatedContextShouldInjectAndRunHandlersInEachCluster() {
		this.here.resources(V1Pod.class).create(TestObjects.pod("web", "here"));
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "edge"));
		this.own.resources(V1Pod.class).create(TestObjects.pod("web", "own"));
		TestCompiler.forSystem().with(process()).compile((compiled) -> {
			@SuppressWarnings("unchecked")
			ApplicationContextInitializer<GenericApplicationContext> initializer = compiled
				.getInstance(ApplicationContextInitializer.class);
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				TestPropertyValues.of(InformerContextRunner.NO_CLUSTER)
					.and("kubernetes.client.url=" + this.here.url(), "kubernetes.clusters.own=",
							"own.url=" + this.own.url(), "kubernetes.clusters.edge.url=" + this.edge.url())
					.applyTo(context);
				initializer.initialize(context);
				context.refresh();
				Reader reader = context.getBean(Reader.class);
				assertThat(context.containsBean("kubernetesApiClient.edge")).isTrue();
				assertThat(context.containsBean("kubernetesApiClient.own")).isFalse();
				await().untilAsserted(() -> {
					assertThat(List.of(reader.pods, reader.edge))
						.allSatisfy((pods) -> assertThat(pods.list()).singleElement()
							.satisfies((pod) -> assertThat(pod.getSpec()).isNull()));
					assertThat(names(reader.pods)).containsExactly("here");
					assertThat(names(reader.edge)).containsExactly("edge");
					assertThat(names(reader.own)).containsExactly("own");
					assertThat(reader.maps.all()).containsOnlyKeys("edge", "own");
					assertThat(context.getBean(PodHandler.class).handled).containsExactlyInAnyOrder("edge edge",
							"own own");
				});
			}
		});
	}

	@Test
	void modelClassesOfListersOfSeveralClustersShouldBeReadByReflection() {
		assertThat(RuntimeHintsPredicates.reflection().onType(V1ConfigMap.class)).accepts(process().getRuntimeHints());
	}

	@Test
	void valuesShouldNotBeNeeded() {
		assertThatNoException().isThrownBy(() -> process("kubernetes.clusters.edge.connect-timeout=${EDGE_TIMEOUT}",
				"kubernetes.clusters.hub.connect-timeout=${HUB_TIMEOUT}"));
	}

	@Test
	void methodsThatMakeBeansOfClustersShouldBeInvokedByReflection() throws ClassNotFoundException {
		RuntimeHints hints = process().getRuntimeHints();
		Class<?> beans = Class.forName(InformerAutoConfiguration.class.getPackageName() + ".cluster.NamedClusterBeans");
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(beans)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(ClusterInjection.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
	}

	private static List<String> names(Lister<V1Pod> pods) {
		return pods.list().stream().map((pod) -> pod.getMetadata().getName()).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class Application {

		@Bean
		Reader reader(Lister<V1Pod> pods, @Qualifier("edge") Lister<V1Pod> edge, @Qualifier("own") Lister<V1Pod> own,
				ClusterListers<V1ConfigMap> maps) {
			return new Reader(pods, edge, own, maps);
		}

		@Bean
		PodHandler podHandler() {
			return new PodHandler();
		}

		@Bean
		InformerTransform<V1Pod> withoutSpec() {
			return (pod) -> pod.spec(null);
		}

		@Bean(defaultCandidate = false)
		@Qualifier("own")
		ApiClient clientOfTheApplication(Environment environment) {
			return new ApiClient().setBasePath(environment.getRequiredProperty("own.url"));
		}

	}

	record Reader(Lister<V1Pod> pods, Lister<V1Pod> edge, Lister<V1Pod> own, ClusterListers<V1ConfigMap> maps) {

	}

	@InformerHandler(cluster = "*")
	static class PodHandler {

		final List<String> handled = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			this.handled.add(event.cluster() + " " + event.object().getMetadata().getName());
		}

	}

}
