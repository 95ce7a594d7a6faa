package dev.kubeinformer.spring;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests of the injection of listers and informers by their generic type.
 */
class ListerInjectionTests {

	private static EmbeddedKubernetes kubernetes;

	private final ApplicationContextRunner runner = InformerContextRunner.with(kubernetes);

	@BeforeAll
	static void start() {
		kubernetes = EmbeddedKubernetes.start();
		kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one", Map.of("app", "a")));
		kubernetes.resources(V1Pod.class).create(TestObjects.pod("shop", "two", Map.of("app", "b")));
		kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
		kubernetes.resources(V1ConfigMap.class).create(TestObjects.configMap("web", "settings"));
	}

	@AfterAll
	static void close() {
		kubernetes.close();
	}

	@Test
	void listersShouldBeInjectedEverywhere() {
		this.runner.withUserConfiguration(BeanParameter.class)
			.withBean(Constructor.class)
			.withBean(Field.class)
			.withBean(Provider.class)
			.withBean(Elements.class)
			.run((context) -> {
				Lister<V1Pod> pods = context.getBean(Constructor.class).pods;
				await().until(() -> pods.list().size() == 2);
				assertThat(pods.namespace("web").get("one").getMetadata().getName()).isEqualTo("one");
				Lister<V1Node> nodes = context.getBean(Field.class).nodes;
				await().until(() -> nodes.list().size() == 1);
				Lister<V1ConfigMap> configMaps = context.getBean(BeanParameter.Holder.class).configMaps();
				await().until(() -> configMaps.list().size() == 1);
				assertThat(context.getBean(Provider.class).pods.getObject().list()).hasSize(2);
				assertThat(context.getBean(Elements.class).pods).hasSize(1);
				assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
					.containsExactlyInAnyOrder("pods", "nodes", "configmaps");
			});
	}

	@Test
	void informersShouldBeInjectedByEachOfTheirTypes() {
		this.runner.withBean(InformerTypes.class).run((context) -> {
			InformerTypes types = context.getBean(InformerTypes.class);
			await().until(() -> types.own.snapshot().size() == 2);
			await().until(() -> types.indexed.getIndexer().list().size() == 1);
			await().until(types.shared::hasSynced);
		});
	}

	@Test
	void injectedInformerShouldNotStopTheSharedOne() {
		this.runner.withBean(InformerTypes.class).run((context) -> {
			InformerTypes types = context.getBean(InformerTypes.class);
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(types.own::stop)
				.withMessageContaining("'pods'")
				.withMessageContaining("Informers.stop()");
			types.own.run();
			await().until(() -> types.own.snapshot().size() == 2);
		});
	}

	@Test
	void sourceShouldNarrowWhatIsInjected() {
		this.runner.withBean(Narrow.class).withPropertyValues("app.namespace=web").run((context) -> {
			Narrow narrow = context.getBean(Narrow.class);
			await().until(() -> narrow.web.list().size() == 1);
			await().until(() -> narrow.labelled.snapshot().size() == 1);
			assertThat(narrow.web.list().get(0).getMetadata().getName()).isEqualTo("one");
			assertThat(narrow.labelled.snapshot().list().get(0).getMetadata().getName()).isEqualTo("two");
			assertThat(context.getBean(Informers.class).all()).hasSize(2);
		});
	}

	@Test
	void propertiesShouldApplyToWhatIsInjected() {
		this.runner.withBean(Constructor.class)
			.withPropertyValues("kubernetes.informers.namespaces=web",
					"kubernetes.informers.resources.pods.label-selector=app=a")
			.run((context) -> assertThat(context.getBean(Informers.class).all()).singleElement()
				.satisfies((informer) -> {
					assertThat(informer.spec().namespaces()).containsExactly("web");
					assertThat(informer.spec().labelSelector()).isEqualTo("app=a");
				}));
	}

	@Test
	void usersListerShouldWin() {
		this.runner.withUserConfiguration(UserLister.class).withBean(Constructor.class).run((context) -> {
			assertThat(context.getBean(Constructor.class).pods).isSameAs(context.getBean("userPods"));
			assertThat(context.getBean(Informers.class).all()).isEmpty();
		});
	}

	@Test
	void listerThatIsAskedForLateShouldStartAtOnce() {
		this.runner.withBean(Provider.class).run((context) -> {
			assertThat(context.getBean(Informers.class).all()).isEmpty();
			Lister<V1Pod> pods = context.getBean(Provider.class).pods.getObject();
			await().until(() -> pods.list().size() == 2);
		});
	}

	@Test
	void listersShouldStayEmptyWhenInformersAreOff() {
		this.runner.withBean(Constructor.class)
			.withPropertyValues("kubernetes.informers.enabled=false")
			.run((context) -> {
				assertThat(context.getBean(Constructor.class).pods.list()).isEmpty();
				assertThat(context.getBean(Informers.class).isRunning()).isFalse();
			});
	}

	static class Constructor {

		private final Lister<V1Pod> pods;

		Constructor(Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

	static class Field {

		@Autowired
		private Lister<V1Node> nodes;

	}

	static class Provider {

		private final ObjectProvider<Lister<V1Pod>> pods;

		Provider(ObjectProvider<Lister<V1Pod>> pods) {
			this.pods = pods;
		}

	}

	static class Elements {

		private final List<Lister<V1Pod>> pods;

		Elements(@InformerSource List<Lister<V1Pod>> pods) {
			this.pods = pods;
		}

	}

	static class InformerTypes {

		private final Informer<V1Pod> own;

		private final SharedIndexInformer<V1Node> indexed;

		private final SharedInformer<V1ConfigMap> shared;

		InformerTypes(Informer<V1Pod> own, SharedIndexInformer<V1Node> indexed, SharedInformer<V1ConfigMap> shared) {
			this.own = own;
			this.indexed = indexed;
			this.shared = shared;
		}

	}

	static class Narrow {

		@Autowired
		@InformerSource(namespaces = "${app.namespace}")
		private Lister<V1Pod> web;

		private final Informer<V1Pod> labelled;

		Narrow(@InformerSource(labelSelector = "app=#{'b'}") Informer<V1Pod> labelled) {
			this.labelled = labelled;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanParameter {

		@Bean
		Holder holder(Lister<V1ConfigMap> configMaps) {
			return new Holder(configMaps);
		}

		record Holder(Lister<V1ConfigMap> configMaps) {

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UserLister {

		@Bean
		@SuppressWarnings("unchecked")
		Lister<V1Pod> userPods() {
			return new Lister<>((Indexer<V1Pod>) mock(Indexer.class));
		}

	}

}
