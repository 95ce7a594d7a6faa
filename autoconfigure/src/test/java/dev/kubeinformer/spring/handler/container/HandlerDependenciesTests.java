package dev.kubeinformer.spring.handler.container;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of handlers that wait for the caches that they read. Nodes are forbidden, so that
 * their cache is filled when a test says so.
 */
class HandlerDependenciesTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes).withBean(Calls.class);

	@BeforeEach
	void create() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
		this.kubernetes.resources(V1ConfigMap.class).create(TestObjects.configMap("web", "map"));
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { Constructor.class, Field.class, SubclassOfGeneric.class, ThroughService.class,
			ThroughProxy.class, ThroughLazyService.class, ThroughProvider.class, BeanMethod.class, LazyHandler.class,
			Provider.class, LazyPoint.class })
	void handlerShouldSeeFilledListers(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration).withBean(Other.class).run((context) -> {
			await().until(() -> calls(context, "other").contains("map"));
			await().until(() -> context.getBean(Informers.class).informer(V1Pod.class).hasSynced());
			await().until(() -> container(context, "reader").awaiting().equals(List.of("nodes")));
			assertThat(calls(context, "reader")).isEmpty();
			assertThat(container(context, "other").awaiting()).isEmpty();
			this.kubernetes.faults().clear();
			await().until(() -> container(context, "reader").hasSynced());
			assertThat(calls(context, "reader")).containsExactly("one on 1 nodes");
			assertThat(container(context, "reader").awaiting()).isEmpty();
		});
	}

	@Test
	void handlerShouldNotWaitForWhatItsSiblingsRead() {
		this.runner.withUserConfiguration(BeanMethod.class).run((context) -> {
			await().until(() -> container(context, "sibling").hasSynced());
			assertThat(container(context, "reader").awaiting()).containsExactly("nodes");
		});
	}

	@Test
	void handlerShouldWaitForAllNamespacesOfItsOwn() {
		this.kubernetes.faults().on(Requests.list("pods").inNamespace("shop")).forbid();
		this.runner.withUserConfiguration(OwnOnly.class)
			.withPropertyValues("kubernetes.informers.namespaces=web,shop")
			.run((context) -> {
				await().until(() -> context.getBean(Informers.class).informer(V1Pod.class).snapshot().size() == 1);
				assertThat(container(context, "own").awaiting()).singleElement().asString().startsWith("pods");
				assertThat(calls(context, "own")).isEmpty();
				this.kubernetes.faults().clear();
				await().until(() -> calls(context, "own").equals(List.of("one")));
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "annotated=false", "kubernetes.informers.handlers.reader.wait-for-caches=false",
			"kubernetes.informers.wait-for-caches=false" })
	void handlerThatDoesNotWaitShouldGetEventsAtOnce(String property) {
		boolean annotated = property.startsWith("annotated");
		this.runner.withUserConfiguration(annotated ? NotWaiting.class : Constructor.class)
			.withPropertyValues(property)
			.run((context) -> {
				await().until(() -> calls(context, "reader").equals(List.of("one on 0 nodes")));
				assertThat(container(context, "reader").awaiting()).isEmpty();
			});
	}

	@Test
	void configurationShouldPrecedeTheAnnotation() {
		this.runner.withUserConfiguration(NotWaiting.class)
			.withPropertyValues("annotated=false", "kubernetes.informers.handlers.reader.wait-for-caches=true")
			.run((context) -> await().until(() -> !container(context, "reader").awaiting().isEmpty()));
	}

	@Test
	void listerThatIsNotStartedShouldNotBeAwaited() {
		this.runner.withUserConfiguration(Constructor.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				container(context, "reader").start();
				await().until(() -> calls(context, "reader").equals(List.of("one on 0 nodes")));
			});
	}

	@Test
	void informersThatAreStartedLaterShouldBeAwaited() {
		this.runner.withUserConfiguration(Constructor.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				context.getBean(Informers.class).start();
				await().until(() -> context.getBean(Informers.class).informer(V1Pod.class).hasSynced());
				await().until(() -> container(context, "reader").awaiting().equals(List.of("nodes")));
				this.kubernetes.faults().clear();
				await().until(() -> container(context, "reader").hasSynced());
				assertThat(calls(context, "reader")).containsExactly("one on 1 nodes");
			});
	}

	@Test
	void pauseShouldOutlastTheWaitAndTheWaitAResume() {
		this.runner.withUserConfiguration(Constructor.class).run((context) -> {
			InformerHandlerContainer container = container(context, "reader");
			await().until(() -> container.status().queue().size() == 1);
			container.pause();
			container.resume();
			assertThat(container.status().paused()).isFalse();
			assertThat(container.awaiting()).containsExactly("nodes");
			container.pause();
			this.kubernetes.faults().clear();
			await().until(() -> container.awaiting().isEmpty());
			assertThat(container.status()).satisfies((status) -> {
				assertThat(status.paused()).isTrue();
				assertThat(status.queue().size()).isEqualTo(1);
			});
			container.resume();
			await().until(container::hasSynced);
			assertThat(calls(context, "reader")).containsExactly("one on 1 nodes");
		});
	}

	@Test
	void cacheThatWasFullOnceShouldNotBeAwaitedAgain() {
		this.kubernetes.faults().clear();
		this.runner.withUserConfiguration(Constructor.class).run((context) -> {
			await().until(() -> container(context, "reader").hasSynced());
			context.stop();
			this.kubernetes.faults().on(Requests.of("nodes")).forbid();
			context.start();
			await().until(() -> calls(context, "reader").equals(List.of("one on 1 nodes", "one on 1 nodes")));
			assertThat(container(context, "reader").awaiting()).isEmpty();
		});
	}

	@Test
	void handlerThatWaitsShouldStopAtOnceAndWaitAgain() {
		this.runner.withUserConfiguration(Constructor.class).run((context) -> {
			InformerHandlerContainer container = container(context, "reader");
			await().until(() -> container.status().queue().size() == 1);
			container.stop();
			assertThat(container.awaiting()).isEmpty();
			assertThat(calls(context, "reader")).isEmpty();
			container.start();
			await().until(() -> container.awaiting().equals(List.of("nodes")));
			this.kubernetes.faults().clear();
			await().until(container::hasSynced);
			assertThat(calls(context, "reader")).containsExactly("one on 1 nodes");
		});
	}

	@Test
	void handlerInAChildContextShouldWaitForWhatABeanOfItsParentReads() {
		this.runner.withBean("service", NodeService.class)
			.run((parent) -> this.runner.withParent(parent).withBean("reader", ServiceReader.class).run((context) -> {
				await().until(() -> parent.getBean(Informers.class).informer(V1Pod.class).hasSynced());
				assertThat(container(context, "reader").awaiting()).containsExactly("nodes");
				this.kubernetes.faults().clear();
				await().until(() -> container(context, "reader").hasSynced());
				assertThat(calls(context, "reader")).containsExactly("one on 1 nodes");
			}));
	}

	private static InformerHandlerContainer container(ApplicationContext context, String id) {
		return context.getBean(InformerHandlerRegistry.class).get(id);
	}

	private static List<String> calls(ApplicationContext context, String name) {
		// A lazy handler must not be created by the test.
		return context.getBean(Calls.class).of(name);
	}

	/** Calls of handlers, by their ids; asking a lazy handler itself would create it. */
	static class Calls {

		private final Map<String, List<String>> calls = new ConcurrentHashMap<>();

		List<String> of(String id) {
			return List.copyOf(this.calls.getOrDefault(id, List.of()));
		}

		void add(String id, String call) {
			this.calls.computeIfAbsent(id, (key) -> new CopyOnWriteArrayList<>()).add(call);
		}

		void add(V1Pod pod, Lister<V1Node> nodes) {
			add("reader", "%s on %d nodes".formatted(pod.getMetadata().getName(), nodes.list().size()));
		}

	}

	@InformerHandler(id = "other")
	static class Other {

		private final Calls calls;

		Other(Calls calls) {
			this.calls = calls;
		}

		@OnAdd
		void added(V1ConfigMap configMap) {
			this.calls.add("other", configMap.getMetadata().getName());
		}

	}

	@InformerHandler(id = "own")
	static class OwnOnly {

		private final Calls calls;

		OwnOnly(Calls calls) {
			this.calls = calls;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add("own", pod.getMetadata().getName());
		}

	}

	@InformerHandler(id = "reader")
	static class Constructor {

		private final Calls calls;

		private final Lister<V1Node> nodes;

		Constructor(Calls calls, Lister<V1Node> nodes) {
			this.calls = calls;
			this.nodes = nodes;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod, this.nodes);
		}

	}

	@InformerHandler(id = "reader", waitForCaches = "${annotated:true}")
	static class NotWaiting extends Constructor {

		NotWaiting(Calls calls, Lister<V1Node> nodes) {
			super(calls, nodes);
		}

	}

	@InformerHandler(id = "reader")
	static class Field {

		@Autowired
		private Calls calls;

		@Autowired
		private SharedIndexInformer<V1Node> nodes;

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod, new Lister<>(this.nodes.getIndexer()));
		}

	}

	abstract static class Generic<T extends KubernetesObject> {

		@Autowired
		protected Lister<T> read;

	}

	@InformerHandler(id = "reader")
	static class SubclassOfGeneric extends Generic<V1Node> {

		@Autowired
		private Calls calls;

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod, this.read);
		}

	}

	static class NodeService {

		private final Lister<V1Node> nodes;

		NodeService(Lister<V1Node> nodes) {
			this.nodes = nodes;
		}

		Lister<V1Node> nodes() {
			return this.nodes;
		}

	}

	@InformerHandler(id = "reader")
	static class ServiceReader {

		private final Calls calls;

		private final NodeService service;

		ServiceReader(Calls calls, NodeService service) {
			this.calls = calls;
			this.service = service;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod, this.service.nodes());
		}

	}

	@Import({ NodeService.class, ServiceReader.class })
	static class ThroughService {

	}

	@Import(NodeService.class)
	static class ThroughLazyService {

		@Bean
		@Lazy
		@InformerHandler(id = "reader")
		ServiceReader lazyReader(Calls calls, @Lazy NodeService service) {
			return new ServiceReader(calls, service);
		}

	}

	static class ThroughProvider {

		@Bean
		NodeService service(Lister<V1Node> nodes) {
			return new NodeService(nodes);
		}

		@Bean
		@InformerHandler(id = "reader")
		NodesReader reader(Calls calls, ObjectProvider<NodeService> service) {
			return new NodesReader(calls, () -> service.getObject().nodes());
		}

	}

	interface Nodes extends Supplier<Lister<V1Node>> {

	}

	static class ThroughProxy {

		@Bean
		Nodes nodes(Lister<V1Node> nodes) {
			ProxyFactory proxy = new ProxyFactory(Nodes.class, (MethodInterceptor) (invocation) -> nodes);
			return (Nodes) proxy.getProxy();
		}

		@Bean
		@InformerHandler(id = "reader")
		NodesReader reader(Calls calls, Nodes nodes) {
			return new NodesReader(calls, nodes);
		}

	}

	static class NodesReader {

		private final Calls calls;

		private final Supplier<Lister<V1Node>> nodes;

		NodesReader(Calls calls, Supplier<Lister<V1Node>> nodes) {
			this.calls = calls;
			this.nodes = nodes;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod, this.nodes.get());
		}

	}

	@Configuration
	static class BeanMethod {

		@Bean
		@InformerHandler(id = "reader")
		NodesReader reader(Calls calls, Lister<V1Node> nodes) {
			return new NodesReader(calls, () -> nodes);
		}

		@Bean
		@InformerHandler(id = "sibling")
		OwnOnly sibling(Calls calls) {
			return new OwnOnly(calls);
		}

	}

	@Lazy
	@InformerHandler(id = "reader")
	static class LazyHandler extends Constructor {

		LazyHandler(Calls calls, Lister<V1Node> nodes) {
			super(calls, nodes);
		}

	}

	@InformerHandler(id = "reader")
	static class Provider {

		private final Calls calls;

		private final ObjectProvider<Lister<V1Node>> nodes;

		Provider(Calls calls, ObjectProvider<Lister<V1Node>> nodes) {
			this.calls = calls;
			this.nodes = nodes;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod, this.nodes.getObject());
		}

	}

	@InformerHandler(id = "reader")
	static class LazyPoint {

		private final Calls calls;

		private final Lister<V1Node> nodes;

		LazyPoint(Calls calls, @Lazy Lister<V1Node> nodes) {
			this.calls = calls;
			this.nodes = nodes;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod, this.nodes);
		}

	}

}
