package dev.kubeinformer.spring.handler.container;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpoint;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpointAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.event.InformerHandlerSyncedEvent;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that come and go, and whose namespaces change, while the application runs.
 */
class RegisteredHandlerTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final InformerSpec<V1ConfigMap> CONFIG_MAPS = InformerSpec.of(V1ConfigMap.class);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	private final List<String> delivered = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlerShouldComeAndGoWithAllThatShowsIt() {
		create("web", "a");
		this.runner
			.withConfiguration(
					AutoConfigurations.of(InformersEndpointAutoConfiguration.class, MetricsAutoConfiguration.class,
							CompositeMeterRegistryAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.withBean(SimpleMeterRegistry.class)
			.withBean(SyncedEvents.class)
			.run((context) -> {
				InformerHandlerContainer late = register(context, "late", CONFIG_MAPS);
				assertThat(late.awaitSync(LONG)).isTrue();
				assertThat(late.beanName()).isEqualTo("late");
				create("web", "b");
				await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a", "+b"));
				assertThat(registry(context).get("late")).isSameAs(late);
				assertThat(endpoint(context)).contains("late");
				assertThat(context.getBean(MeterRegistry.class).find("kubernetes.informer.handler.synced").meters())
					.hasSize(1);
				await().until(() -> context.getBean(SyncedEvents.class).ids.contains("late"));
				registry(context).unregister("late");
				assertThat(late.isRunning()).isFalse();
				assertThat(registry(context).all()).isEmpty();
				assertThat(context.getBean(Informers.class).all()).isEmpty();
				assertThat(endpoint(context)).doesNotContain("late");
				// Another thread may be notifying listeners, also of this.
				await().untilAsserted(() -> assertThat(
						context.getBean(MeterRegistry.class).find("kubernetes.informer.handler.synced").meters())
					.isEmpty());
				assertThatIllegalStateException().isThrownBy(late::start).withMessageContaining("was unregistered");
				register(context, "late", CONFIG_MAPS);
				await().untilAsserted(() -> assertThat(this.delivered).hasSize(4));
			});
	}

	@Test
	void handlerInTheOfficialFormShouldBeRegistered() {
		create("web", "a");
		this.runner.run((context) -> {
			ResourceEventHandler<KubernetesObject> handler = new ResourceEventHandler<>() {

				@Override
				public void onAdd(KubernetesObject object) {
					RegisteredHandlerTests.this.delivered.add("+" + object.getMetadata().getName());
				}

				@Override
				public void onUpdate(KubernetesObject before, KubernetesObject after) {
					RegisteredHandlerTests.this.delivered.add("~" + after.getMetadata().getName());
				}

				@Override
				public void onDelete(KubernetesObject object, boolean finalStateUnknown) {
					RegisteredHandlerTests.this.delivered.add("-" + object.getMetadata().getName());
				}

			};
			registry(context).register("late", CONFIG_MAPS, HandlerOptions.defaults(), handler);
			await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
			this.kubernetes.resources(V1ConfigMap.class).delete("web", "a");
			await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a", "-a"));
		});
	}

	@Test
	void handlerOfABeanThatIsBeingCreatedShouldStartWithTheApplication() {
		create("web", "a");
		this.runner.withBean(EarlyRegistration.class, this.delivered).run((context) -> {
			assertThat(registry(context).get("early").isRunning()).isTrue();
			await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
		});
	}

	@Test
	void handlerOfAStoppedApplicationShouldStartWithItAgain() {
		create("web", "a");
		this.runner.run((context) -> {
			ConfigurableApplicationContext application = context.getSourceApplicationContext();
			register(context, "first", CONFIG_MAPS);
			await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
			application.stop();
			assertThat(registry(context).get("first").isRunning()).isFalse();
			InformerHandlerContainer second = register(context, "second", CONFIG_MAPS.withNamespaces("web"));
			assertThat(second.isRunning()).isFalse();
			application.start();
			assertThat(second.awaitSync(LONG)).isTrue();
			assertThat(registry(context).get("first").awaitSync(LONG)).isTrue();
			assertThat(this.delivered).containsExactly("+a", "+a", "+a");
			InformerHandlerRegistry registry = registry(context);
			application.close();
			assertThatIllegalStateException().isThrownBy(() -> register(registry, "third", CONFIG_MAPS))
				.withMessageContaining("'third'")
				.withMessageContaining("closed");
		});
	}

	@Test
	void idThatIsTakenOrNoneShouldBeRefused() {
		this.runner.withBean("podHandler", PodHandler.class).run((context) -> {
			register(context, "late", CONFIG_MAPS);
			for (String id : List.of("late", "LATE", "podHandler", "pod-handler", "pods", "rbac")) {
				assertThatIllegalArgumentException().as(id)
					.isThrownBy(() -> register(context, id, CONFIG_MAPS))
					.withMessageContaining("taken by");
			}
			assertThatIllegalArgumentException().isThrownBy(() -> register(context, "a b", CONFIG_MAPS))
				.withMessageContaining("Invalid handler id 'a b'");
			assertThatIllegalArgumentException().isThrownBy(() -> register(context, "blue.late", CONFIG_MAPS))
				.withMessageContaining("no cluster 'blue'");
			assertThatIllegalArgumentException().isThrownBy(() -> registry(context).unregister("podHandler"))
				.withMessageContaining("stop it instead");
			assertThatIllegalArgumentException().isThrownBy(() -> registry(context).unregister("other"))
				.withMessageContaining("No handler has the id 'other'");
			assertThat(registry(context).all()).extracting(InformerHandlerContainer::id)
				.containsExactly("podHandler", "late");
		});
	}

	@Test
	void handlerMayRegisterAnotherAndUnregisterItself() {
		create("web", "a");
		this.runner.run((context) -> {
			InformerHandlerRegistry registry = registry(context);
			CountDownLatch returned = new CountDownLatch(1);
			registry.register("first", CONFIG_MAPS, HandlerOptions.defaults(), (event) -> {
				register(registry, "second", CONFIG_MAPS.withNamespaces("web"));
				registry.unregister("first");
				returned.countDown();
			});
			assertThat(returned.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
			assertThat(registry.all()).extracting(InformerHandlerContainer::id).containsExactly("second");
			await().untilAsserted(() -> assertThat(context.getBean(Informers.class).all()).hasSize(1));
		});
	}

	@Test
	void whatIsPendingShouldBeHandledBeforeAHandlerIsGone() {
		List.of("a", "b", "c").forEach((name) -> create("web", name));
		this.runner.run((context) -> {
			CountDownLatch busy = new CountDownLatch(1);
			CountDownLatch unregistering = new CountDownLatch(1);
			registry(context).register("slow", CONFIG_MAPS, HandlerOptions.defaults(), (event) -> {
				busy.countDown();
				unregistering.await();
				record(event);
			});
			assertThat(busy.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			Thread unregister = new Thread(() -> registry(context).unregister("slow"));
			unregister.start();
			await().until(() -> !registry(context).get("slow").isRunning());
			unregistering.countDown();
			unregister.join(LONG.toMillis());
			assertThat(this.delivered).containsExactlyInAnyOrder("+a", "+b", "+c");
			assertThat(registry(context).all()).isEmpty();
		});
	}

	@Test
	void whatIsGivenUpShouldGoToTheOptionsAndTheErrorHandler() {
		create("web", "a");
		List<String> exhausted = new CopyOnWriteArrayList<>();
		this.runner
			.withBean(InformerErrorHandler.class,
					() -> (event, failure, handler) -> exhausted.add("bean " + handler.id()))
			.run((context) -> {
				registry(context).register("failing", CONFIG_MAPS,
						HandlerOptions.defaults().withExhausted((event, failure) -> exhausted.add("options")),
						(event) -> {
							throw new IllegalStateException("no");
						});
				await().untilAsserted(() -> assertThat(exhausted).containsExactly("options", "bean failing"));
			});
	}

	@Test
	void handlerOfANamedClusterShouldBeRegistered() {
		try (EmbeddedKubernetes blue = EmbeddedKubernetes.builder().namespacesMustExist(false).start()) {
			blue.resources(V1ConfigMap.class).create(configMap("web", "blue"));
			this.runner.withPropertyValues("kubernetes.clusters.blue.url=" + blue.url()).run((context) -> {
				InformerHandlerContainer late = register(context, "blue.late", CONFIG_MAPS);
				assertThat(late.cluster()).isEqualTo("blue");
				assertThat(late.awaitSync(LONG)).isTrue();
				assertThat(this.delivered).containsExactly("+blue");
				register(context, "late", CONFIG_MAPS);
				registry(context).unregister("blue.late");
				assertThat(registry(context).all()).extracting(InformerHandlerContainer::id).containsExactly("late");
			});
		}
	}

	@Test
	void namespacesShouldComeAndGoWhileTheOthersGoOn() {
		create("a", "one");
		create("b", "two");
		this.runner.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.run((context) -> {
				InformerHandlerContainer late = register(context, "late", CONFIG_MAPS.withNamespaces("a"));
				assertThat(late.awaitSync(LONG)).isTrue();
				late.namespaces(List.of("a", "b"));
				await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+one", "+two"));
				assertThat(late.namespaces()).containsExactly("a", "b");
				assertThat(rbac(context)).contains("namespace: b");
				late.namespaces(List.of("b"));
				await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+one", "+two", "-one?"));
				create("a", "unseen");
				create("b", "three");
				await().untilAsserted(() -> assertThat(this.delivered).endsWith("+three"));
				assertThat(this.delivered).hasSize(4);
				assertThat(rbac(context)).doesNotContain("namespace: a");
				assertThat(this.kubernetes.requests()
					.stream()
					.filter((request) -> request.isList() && "b".equals(request.namespace()))).hasSize(1);
			});
	}

	@Test
	void namespacesOfABeanShouldChangeAlsoFromTheBeanAndBeforeItsStart() {
		create("a", "one");
		create("b", "two");
		this.runner.withBean("config", ConfigHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.config.auto-startup=false")
			.run((context) -> {
				ConfigHandler handler = context.getBean(ConfigHandler.class);
				InformerHandlerContainer container = registry(context).get("config");
				container.namespaces(List.of("b"));
				handler.onFirst = () -> container.namespaces(List.of("a", "b"));
				container.start();
				await().untilAsserted(() -> assertThat(handler.calls).containsExactly("+two", "+one"));
				container.stop();
				container.start();
				await().untilAsserted(() -> assertThat(handler.calls).hasSize(4));
			});
	}

	@Test
	void namespacesOfASharedInformerShouldStay() {
		this.runner.withBean("config", ConfigHandler.class).withBean(ConfigReader.class).run((context) -> {
			InformerHandlerContainer first = register(context, "first", CONFIG_MAPS.withNamespaces("c"));
			InformerHandlerContainer second = register(context, "second", CONFIG_MAPS.withNamespaces("c"));
			for (InformerHandlerContainer shared : List.of(first, second, registry(context).get("config"))) {
				assertThatIllegalStateException().isThrownBy(() -> shared.namespaces(List.of("x")))
					.withMessageContaining("'%s'".formatted(shared.id()))
					.withMessageContaining("shared with another handler or lister");
			}
			registry(context).unregister("second");
			first.namespaces(List.of("x"));
			assertThatIllegalStateException()
				.isThrownBy(() -> register(context, "third", CONFIG_MAPS.withNamespaces("c")))
				.withMessageContaining("caches the namespaces [x]");
			assertThat(registry(context).all()).extracting(InformerHandlerContainer::id)
				.containsExactly("config", "first");
		});
	}

	@Test
	void handlerThatIsGoneShouldNotChangeWhatOthersCache() {
		this.runner.run((context) -> {
			InformerSpec<V1ConfigMap> spec = CONFIG_MAPS.withNamespaces("a");
			InformerHandlerContainer gone = register(context, "gone", spec);
			InformerHandlerContainer left = register(context, "left", spec);
			registry(context).unregister("gone");
			assertThatIllegalStateException().isThrownBy(() -> gone.namespaces(List.of("x")))
				.withMessage("Handler 'gone' was unregistered");
			assertThat(left.namespaces()).containsExactly("a");
		});
	}

	@Test
	void handlerThatStartsLaterShouldNotGetTheNamespacesOfAnother() {
		this.runner.withBean("config", ConfigHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.config.auto-startup=false")
			.run((context) -> {
				InformerHandlerContainer later = registry(context).get("config");
				InformerHandlerContainer first = register(context, "first", CONFIG_MAPS.withNamespaces("a"));
				first.namespaces(List.of("c"));
				assertThatIllegalStateException().isThrownBy(later::start)
					.withMessageContaining("'config'")
					.withMessageContaining("caches the namespaces [c]");
				assertThat(later.isRunning()).isFalse();
				first.namespaces(List.of("a"));
				later.start();
				assertThat(later.awaitSync(LONG)).isTrue();
				assertThat(later.namespaces()).containsExactly("a");
			});
	}

	@Test
	void namespacesThatWereAddedForAllShouldNotKeepAHandlerFromStarting() {
		this.runner.withBean("config", ConfigHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.config.auto-startup=false")
			.run((context) -> {
				context.getBean(Informers.class).informer(CONFIG_MAPS.withNamespaces("a")).addNamespace("b");
				InformerHandlerContainer later = registry(context).get("config");
				later.start();
				assertThat(later.namespaces()).containsExactly("a", "b");
				assertThat(register(context, "late", CONFIG_MAPS.withNamespaces("a")).namespaces()).containsExactly("a",
						"b");
			});
	}

	@Test
	void handlersOfAClusterThatIsRemovedShouldDrainSideBySide() {
		this.runner.run((context) -> {
			InformerClusters clusters = context.getBean(InformerClusters.class);
			clusters.add("blue", new ClientBuilder().setBasePath(this.kubernetes.url()).build());
			create("web", "a");
			List<InformerHandlerContainer> containers = new CopyOnWriteArrayList<>();
			CountDownLatch busy = new CountDownLatch(2);
			HandlerOptions options = HandlerOptions.defaults().withDrainTimeout(LONG);
			for (String id : List.of("blue.one", "blue.two")) {
				containers.add(registry(context).register(id, CONFIG_MAPS, options, (event) -> {
					busy.countDown();
					busy.await();
					await().until(() -> containers.size() == 2
							&& containers.stream().noneMatch(InformerHandlerContainer::isRunning));
					record(event);
				}));
			}
			assertThat(busy.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			clusters.remove("blue");
			assertThat(this.delivered).containsExactly("+a", "+a");
			assertThat(registry(context).all()).isEmpty();
		});
	}

	@Test
	void handlerThatIsUnregisteredWhileAllStartShouldNotFailTheApplication() {
		create("web", "a");
		this.runner.withBean(UnregisteredAtStart.class, this.delivered).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(registry(context).all()).extracting(InformerHandlerContainer::id).containsExactly("first");
			await().untilAsserted(() -> assertThat(this.delivered).containsExactly("first"));
			assertThat(context.getBean(Informers.class).informer(CONFIG_MAPS).handlers()).hasSize(1);
		});
	}

	@Test
	void namespacesThatCannotBeShouldBeRefused() {
		this.runner.run((context) -> {
			InformerHandlerContainer whole = register(context, "whole", CONFIG_MAPS);
			assertThatIllegalStateException().isThrownBy(() -> whole.namespaces(List.of("a")))
				.withMessageContaining("caches all namespaces");
			InformerHandlerContainer narrow = register(context, "narrow", CONFIG_MAPS.withNamespaces("a"));
			assertThatIllegalArgumentException().isThrownBy(() -> narrow.namespaces(List.of()))
				.withMessageContaining("'narrow' needs at least one namespace");
			assertThatIllegalArgumentException().isThrownBy(() -> narrow.namespaces(List.of("A")))
				.withMessageContaining("'A' is not the name of a namespace");
			assertThat(narrow.namespaces()).containsExactly("a");
		});
	}

	private InformerHandlerContainer register(AssertableApplicationContext context, String id,
			InformerSpec<V1ConfigMap> spec) {
		return register(registry(context), id, spec);
	}

	private InformerHandlerContainer register(InformerHandlerRegistry registry, String id,
			InformerSpec<V1ConfigMap> spec) {
		EventHandler<V1ConfigMap> handler = this::record;
		return registry.register(id, spec, HandlerOptions.defaults(), handler);
	}

	private void record(ResourceEvent<V1ConfigMap> event) {
		String sign = switch (event.type()) {
			case ADD -> "+";
			case UPDATE -> "~";
			case DELETE -> "-";
		};
		this.delivered.add(sign + event.object().getMetadata().getName() + (event.finalStateUnknown() ? "?" : ""));
	}

	private static InformerHandlerRegistry registry(AssertableApplicationContext context) {
		return context.getBean(InformerHandlerRegistry.class);
	}

	private static String endpoint(AssertableApplicationContext context) {
		return context.getBean(InformersEndpoint.class).informers().handlers().toString();
	}

	private static String rbac(AssertableApplicationContext context) {
		return String.valueOf(context.getBean(InformersEndpoint.class).informer("rbac", null));
	}

	private void create(String namespace, String name) {
		this.kubernetes.resources(V1ConfigMap.class).create(configMap(namespace, name));
	}

	private static V1ConfigMap configMap(String namespace, String name) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace(namespace).name(name));
	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(namespaces = "a")
	static class ConfigHandler {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		private volatile @Nullable Runnable onFirst;

		@OnAdd
		void added(V1ConfigMap configMap) {
			this.calls.add("+" + configMap.getMetadata().getName());
			Runnable first = this.onFirst;
			this.onFirst = null;
			if (first != null) {
				first.run();
			}
		}

		@OnDelete
		void removed(V1ConfigMap configMap) {
			this.calls.add("-" + configMap.getMetadata().getName());
		}

	}

	record ConfigReader(@InformerSource(namespaces = "a") Lister<V1ConfigMap> configMaps) {

	}

	record EarlyRegistration(InformerHandlerRegistry registry, List<String> delivered) implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
			this.registry.register("early", CONFIG_MAPS, HandlerOptions.defaults(),
					(ResourceEvent<V1ConfigMap> event) -> this.delivered
						.add("+" + event.object().getMetadata().getName()));
		}

	}

	/**
	 * Has two handlers, of which the second is unregistered while the first is started.
	 */
	record UnregisteredAtStart(InformerHandlerRegistry registry, Informers informers,
			List<String> delivered) implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
			for (String id : List.of("first", "second")) {
				this.registry.register(id, CONFIG_MAPS, HandlerOptions.defaults(),
						(ResourceEvent<V1ConfigMap> event) -> this.delivered.add(id));
			}
			this.informers.addListener(new InformerListener() {

				@Override
				public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
					if (handler.id().equals("first")) {
						UnregisteredAtStart.this.registry.unregister("second");
					}
				}

			});
		}

	}

	static class SyncedEvents {

		private final List<String> ids = new CopyOnWriteArrayList<>();

		@EventListener
		void synced(InformerHandlerSyncedEvent event) {
			this.ids.add(event.getContainer().id());
		}

	}

}
