package dev.kubeinformer.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** Tests of the events that a running API server causes for handlers. */
class HandlerEventTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlerShouldGetAddsUpdatesAndDeletes() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("podHandler", PodHandler.class).run((context) -> {
			PodHandler handler = context.getBean(PodHandler.class);
			await().until(() -> handler.calls().contains("added one"));
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two", Map.of("app", "a")));
			await().until(() -> handler.calls().contains("added two"));
			this.kubernetes.resources(V1Pod.class).update(TestObjects.pod("web", "two", Map.of("app", "web")));
			await().until(() -> handler.calls().contains("changed two from {app=a} to {app=web}"));
			this.kubernetes.resources(V1Pod.class).delete("web", "one");
			await().until(() -> handler.calls().contains("deleted one false"));
			assertThat(handler.calls()).hasSize(4);
		});
	}

	@Test
	void handlerWithOfficialInterfaceShouldGetAddsUpdatesAndDeletes() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("officialHandler", OfficialHandler.class).run((context) -> {
			OfficialHandler handler = context.getBean(OfficialHandler.class);
			await().until(() -> handler.calls().contains("added one"));
			this.kubernetes.resources(V1Pod.class).update(TestObjects.pod("web", "one", Map.of("app", "web")));
			await().until(() -> handler.calls().contains("changed one"));
			this.kubernetes.resources(V1Pod.class).delete("web", "one");
			await().until(() -> handler.calls().contains("deleted one"));
		});
	}

	@Test
	void proxiedHandlerWithOfficialInterfaceMayHaveFinalMethodsThatABridgeCalls() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withUserConfiguration(FinalHandlerConfiguration.class).run((context) -> {
			FinalHandler handler = (FinalHandler) AopProxyUtils.getSingletonTarget(context.getBean(FinalHandler.class));
			await().until(() -> handler.calls().contains("added one"));
		});
	}

	@Test
	void beanWithOfficialInterfaceAndNoAnnotationShouldBeLeftAlone() {
		this.runner.withBean("unannotatedHandler", UnannotatedHandler.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).all()).isEmpty());
	}

	@Test
	void handlerWithOneMethodForAllEventsShouldGetAll() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("eventHandlerBean", EventHandlerBean.class).run((context) -> {
			EventHandlerBean handler = context.getBean(EventHandlerBean.class);
			await().until(() -> handler.calls().contains("ADD one"));
			this.kubernetes.resources(V1Pod.class).update(TestObjects.pod("web", "one", Map.of("app", "web")));
			await().until(() -> handler.calls().contains("UPDATE one"));
			this.kubernetes.resources(V1Pod.class).delete("web", "one");
			await().until(() -> handler.calls().contains("DELETE one"));
		});
	}

	@Test
	void handlerShouldBeCalledOnlyWhenItsConditionIsTrue() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("shop", "two"));
		this.runner.withBean("conditionalHandler", ConditionalHandler.class)
			.withPropertyValues("app.namespace=shop")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class)
					.get("conditionalHandler");
				assertThat(container.awaitSync(Duration.ofSeconds(60))).isTrue();
				assertThat(context.getBean(ConditionalHandler.class).calls()).containsExactly("added two");
			});
	}

	@Test
	void conditionThatThrowsShouldCountAsFailure() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("failingConditionHandler", FailingConditionHandler.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class)
				.get("failingConditionHandler");
			await().until(() -> container.status().deliveries().failed() >= 1);
			assertThat(container.status().lastError().key()).isEqualTo("web/one");
		});
	}

	@Test
	void proxiedHandlersShouldBeCalledThroughTheirProxies() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withUserConfiguration(ProxyConfiguration.class).run((context) -> {
			ConcurrentMap<String, String> threads = context.getBean(ProxyConfiguration.class).threads;
			await().until(() -> threads.size() == 2);
			assertThat(threads).containsOnlyKeys("interface", "class")
				.allSatisfy((proxy, thread) -> assertThat(thread).startsWith("async-"));
		});
	}

	@Test
	void lazyHandlerShouldBeCreatedWithItsFirstEvent() {
		this.runner.withUserConfiguration(LazyConfiguration.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("lazyHandler");
			assertThat(container.awaitSync(Duration.ofSeconds(60))).isTrue();
			assertThat(context.getBeanFactory().containsSingleton("lazyHandler")).isFalse();
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			await().until(() -> context.getBeanFactory().containsSingleton("lazyHandler"));
			await().until(() -> context.getBean(PodHandler.class).calls().contains("added one"));
		});
	}

	@Test
	void handlersShouldBeResyncedEachByItsOwnPeriod() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("resyncHandler", ResyncHandler.class)
			.withBean("podHandler", PodHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.resync-handler.resync=50ms")
			.run((context) -> {
				ResyncHandler handler = context.getBean(ResyncHandler.class);
				await().until(() -> handler.resyncs.get() >= 3);
				assertThat(context.getBean(PodHandler.class).calls()).containsExactly("added one");
				assertThat(this.kubernetes.requests()).filteredOn((request) -> request.isList()).hasSizeLessThan(2);
			});
	}

	@Test
	void defaultResyncShouldApplyToHandlersThatAskForNone() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("resyncHandler", ResyncHandler.class)
			.withPropertyValues("kubernetes.informers.resync=50ms")
			.run((context) -> await().until(() -> context.getBean(ResyncHandler.class).resyncs.get() >= 3));
	}

	@Test
	void handlerShouldGetOnlyObjectsOfItsNamespacesAndLabels() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one", Map.of("app", "a")));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two", Map.of("app", "b")));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("shop", "three", Map.of("app", "a")));
		this.runner.withBean("narrowHandler", NarrowHandler.class)
			.withPropertyValues("app.namespace=web", "spring.application.name=a")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("narrow");
				assertThat(container.awaitSync(Duration.ofSeconds(60))).isTrue();
				assertThat(context.getBean(NarrowHandler.class).calls()).containsExactly("ADD one");
			});
	}

	@Test
	void failedEventShouldBeTriedAgainAsConfigured() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("flakyHandler", FlakyHandler.class)
			.withBean("failingHandler", FailingHandler.class)
			.withPropertyValues("kubernetes.informers.retry.delay=10ms", "kubernetes.informers.retry.jitter=1ms",
					"kubernetes.informers.handlers.failing-handler.retry.max-retries=1")
			.run((context) -> {
				InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
				InformerHandlerContainer flaky = registry.get("flakyHandler");
				await().until(flaky::hasSynced);
				assertThat(flaky.status().deliveries().processed()).isOne();
				assertThat(flaky.status().deliveries().failed()).isEqualTo(2);
				assertThat(flaky.status().deliveries().exhausted()).isZero();
				InformerHandlerContainer failing = registry.get("failingHandler");
				await().until(failing::hasSynced);
				assertThat(failing.status().deliveries().failed()).isEqualTo(2);
				assertThat(failing.status().deliveries().exhausted()).isOne();
			});
	}

	@Test
	void handlerWhenNothingIsSaidShouldRetryFiveTimesFromOneSecondOn() {
		this.runner.withBean("flakyHandler", FlakyHandler.class).run((context) -> {
			RetryBackoff retry = context.getBean(InformerHandlerRegistry.class).get("flakyHandler").options().retry();
			Exception failure = new IllegalStateException("any");
			assertThat(retry.delay(1, failure)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1200));
			assertThat(retry.delay(5, failure)).isBetween(Duration.ofMillis(12_800), Duration.ofMillis(19_200));
			assertThat(retry.delay(6, failure)).isNull();
		});
	}

	@Test
	void failingHandlerShouldNotKeepOthersFromTheirEvents() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("failingHandler", FailingHandler.class)
			.withBean("podHandler", PodHandler.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=0")
			.run((context) -> {
				PodHandler handler = context.getBean(PodHandler.class);
				await().until(() -> handler.calls().contains("added one"));
				this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
				await().until(() -> handler.calls().contains("added two"));
				InformerHandlerContainer failing = context.getBean(InformerHandlerRegistry.class).get("failingHandler");
				await().until(() -> failing.status().deliveries().failed() == 2);
				assertThat(failing.status().lastError().exception())
					.isEqualTo(IllegalArgumentException.class.getName());
				assertThat(failing.hasSynced()).isTrue();
			});
	}

	@Test
	void stoppedHandlerShouldGetTheContentAgainWhenItStarts() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("podHandler", PodHandler.class).run((context) -> {
			PodHandler handler = context.getBean(PodHandler.class);
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
			await().until(() -> handler.calls().contains("added one"));
			container.stop();
			assertThat(container.isRunning()).isFalse();
			assertThat(container.hasSynced()).isFalse();
			assertThatIllegalStateException().isThrownBy(container::pause)
				.withMessage("Handler 'podHandler' is not started");
			container.start();
			await().until(() -> handler.calls().equals(List.of("added one", "added one")));
		});
	}

	@Test
	void pausedHandlerShouldGetItsEventsWhenItResumes() {
		this.runner.withBean("podHandler", PodHandler.class).run((context) -> {
			PodHandler handler = context.getBean(PodHandler.class);
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
			assertThat(container.awaitSync(Duration.ofSeconds(60))).isTrue();
			container.pause();
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			await().until(() -> container.status().queue().size() == 1);
			assertThat(handler.calls()).isEmpty();
			container.resume();
			await().until(() -> handler.calls().contains("added one"));
		});
	}

	@Test
	void resyncShouldDeliverTheCacheAgain() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("podHandler", PodHandler.class).run((context) -> {
			PodHandler handler = context.getBean(PodHandler.class);
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
			assertThat(container.awaitSync(Duration.ofSeconds(60))).isTrue();
			int before = handler.calls().size();
			container.resync();
			await().until(() -> handler.calls().size() == before + 1);
			assertThat(handler.calls().get(before)).contains("one");
		});
	}

	@Test
	void handlerWithoutAutoStartupShouldConnectWhenItStarts() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("podHandler", PodHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.podHandler.auto-startup=false")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
				assertThat(container.isRunning()).isFalse();
				assertThat(this.kubernetes.requests()).isEmpty();
				container.start();
				await().until(() -> context.getBean(PodHandler.class).calls().contains("added one"));
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class FinalHandlerConfiguration {

		@Bean
		FinalHandler finalHandler() {
			return new FinalHandler();
		}

	}

	@InformerHandler(allowAsync = "true")
	static class FinalHandler extends RecordingHandler implements ResourceEventHandler<V1Pod> {

		@Override
		public final void onAdd(V1Pod pod) {
			record("added", pod);
		}

		@Override
		@Async
		public void onUpdate(V1Pod before, V1Pod after) {
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
		}

	}

	@InformerHandler
	static class PodHandler extends RecordingHandler {

		@OnAdd
		void added(V1Pod pod) {
			record("added", pod);
		}

		@OnUpdate
		void changed(V1Pod before, V1Pod after) {
			record("changed %s from %s to %s".formatted(after.getMetadata().getName(), before.getMetadata().getLabels(),
					after.getMetadata().getLabels()));
		}

		@OnDelete
		void deleted(V1Pod pod, boolean finalStateUnknown) {
			record("deleted %s %s".formatted(pod.getMetadata().getName(), finalStateUnknown));
		}

	}

	static class UnannotatedHandler extends RecordingHandler implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
			record("added", pod);
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
			record("changed", after);
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			record("deleted", pod);
		}

	}

	@InformerHandler
	static class OfficialHandler extends UnannotatedHandler {

	}

	@InformerHandler
	static class EventHandlerBean extends RecordingHandler {

		@OnAdd
		@OnUpdate
		@OnDelete
		void handle(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	@InformerHandler
	static class ConditionalHandler extends RecordingHandler {

		@OnAdd(condition = "#event.initial() and #object.metadata.namespace == '${app.namespace}'")
		void added(V1Pod pod) {
			record("added", pod);
		}

	}

	@InformerHandler
	static class FailingConditionHandler extends RecordingHandler {

		@OnAdd(condition = "#object.spec.nodeName == 'n1'")
		void added(V1Pod pod) {
			record("added", pod);
		}

	}

	@InformerHandler
	static class ResyncHandler {

		private final AtomicInteger resyncs = new AtomicInteger();

		@OnUpdate
		void changed(ResourceEvent<V1Pod> event) {
			if (event.resync()) {
				this.resyncs.incrementAndGet();
			}
		}

	}

	@InformerHandler(id = "narrow", namespaces = "${app.namespace}", labelSelector = "app=${spring.application.name}")
	static class NarrowHandler extends RecordingHandler {

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	@InformerHandler
	static class FlakyHandler {

		private final AtomicInteger attempts = new AtomicInteger();

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			if (this.attempts.incrementAndGet() < 3) {
				throw new IllegalArgumentException("not yet");
			}
		}

	}

	@InformerHandler
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalArgumentException("no");
		}

	}

	interface PodListener {

		void added(V1Pod pod);

	}

	@InformerHandler(allowAsync = "true")
	static class InterfaceProxied implements PodListener {

		private final Map<String, String> threads;

		InterfaceProxied(Map<String, String> threads) {
			this.threads = threads;
		}

		@Override
		@Async
		@OnAdd
		public void added(V1Pod pod) {
			this.threads.put("interface", Thread.currentThread().getName());
		}

	}

	static class ClassProxied {

		private final Map<String, String> threads;

		ClassProxied(Map<String, String> threads) {
			this.threads = threads;
		}

		@Async
		@OnAdd
		void added(V1Pod pod) {
			this.threads.put("class", Thread.currentThread().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class ProxyConfiguration {

		private final ConcurrentMap<String, String> threads = new ConcurrentHashMap<>();

		@Bean
		TaskExecutor taskExecutor() {
			return new SimpleAsyncTaskExecutor("async-");
		}

		@Bean
		PodListener interfaceProxied() {
			return new InterfaceProxied(this.threads);
		}

		@Bean
		@InformerHandler(allowAsync = "true")
		ClassProxied classProxied() {
			return new ClassProxied(this.threads);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyConfiguration {

		@Bean
		@Lazy
		PodHandler lazyHandler() {
			return new PodHandler();
		}

	}

}
