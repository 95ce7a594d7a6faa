package dev.kubeinformer.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of handlers and informers while their context stops, pauses and starts again.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTests {

	private static final String DRAIN = "kubernetes.informers.shutdown.drain-timeout=";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class));

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void closeShouldLetHandlersFinishBeforeWhatTheyUseIsClosed(CapturedOutput output) {
		List<String> calls = new CopyOnWriteArrayList<>();
		pods("one", "two", "three");
		this.runner.withBean(Store.class, calls).withBean(BlockingHandler.class).run((context) -> {
			BlockingHandler handler = context.getBean(BlockingHandler.class);
			handler.entered.await();
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			await().until(() -> registry.get("blocking").status().queue().size() == 2);
			new Thread(() -> {
				await().until(() -> !registry.get("blocking").isRunning());
				handler.release.countDown();
			}).start();
		});
		assertThat(calls).containsExactlyInAnyOrder("one", "two", "three", "closed").endsWith("closed");
		assertThat(output)
			.containsOnlyOnce("Handler 'blocking' stops; waits up to 20 s for 1 callback and 2 waiting event(s)");
	}

	@Test
	void closeWhenTheDrainTimeoutIsOverShouldInterrupt(CapturedOutput output) {
		List<String> calls = new CopyOnWriteArrayList<>();
		pods("one");
		this.runner.withPropertyValues(DRAIN + "100ms")
			.withBean(Store.class, calls)
			.withBean(BlockingHandler.class)
			.run((context) -> context.getBean(BlockingHandler.class).entered.await());
		assertThat(calls).containsExactly("interrupted one", "closed");
		assertThat(output).contains("Handler 'blocking' stops; waits up to 100 ms for 1 callback");
	}

	@Test
	void drainTimeoutThatIsNotBelowThatOfThePhaseShouldBeReported(CapturedOutput output) {
		this.runner.withPropertyValues(DRAIN + "8s", "spring.lifecycle.timeout-per-shutdown-phase=9s")
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("drain-timeout");
		this.runner.withPropertyValues(DRAIN + "30s").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("'kubernetes.informers.shutdown.drain-timeout' (PT30S) is not below "
				+ "'spring.lifecycle.timeout-per-shutdown-phase' (PT30S)");
	}

	@Test
	void handOverThatOutlastsItsPhaseShouldBeReported(CapturedOutput output) {
		ApplicationContextRunner moving = this.runner.withPropertyValues("kubernetes.informers.auto-startup=false",
				"spring.application.name=web", "kubernetes.informers.shard.mode=leases",
				"kubernetes.informers.shard.key=uid", "kubernetes.informers.shard.lease-namespace=shop");
		moving.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("hand-over");
		moving.withPropertyValues(DRAIN + "21s").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("The hand-over of the slots of this replica may take PT31S");
	}

	@Test
	void pausedContextShouldConnectNowhereAndGoOnWhenItRestarts() {
		assertGoesOn(ConfigurableApplicationContext::pause, ConfigurableApplicationContext::restart);
	}

	@Test
	void stoppedContextShouldConnectNowhereAndGoOnWhenItStarts() {
		assertGoesOn(ConfigurableApplicationContext::stop, ConfigurableApplicationContext::start);
	}

	private void assertGoesOn(Consumer<ConfigurableApplicationContext> stop,
			Consumer<ConfigurableApplicationContext> start) {
		pods("one");
		this.runner.withBean(NotingHandler.class).withBean(OtherHandler.class).run((context) -> {
			NotingHandler handler = context.getBean(NotingHandler.class);
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			await().until(() -> handler.names.contains("one"));
			registry.get("other").stop();
			stop.accept(context.getSourceApplicationContext());
			await().until(() -> this.kubernetes.openWatches() == 0);
			assertThat(registry.all()).noneMatch((container) -> container.isRunning());
			this.kubernetes.resources(V1Pod.class).delete("web", "one");
			pods("two");
			start.accept(context.getSourceApplicationContext());
			// Cached objects are delivered again, and then the changes since.
			await().until(() -> handler.names.contains("two") && !handler.names.contains("one"));
			assertThat(registry.get("noting").isRunning()).isTrue();
			assertThat(registry.get("other").isRunning()).isFalse();
		});
	}

	@Test
	void restartOfARunningContextShouldDeliverTheContentAgainOnce() {
		pods("one");
		this.runner.withBean(NotingHandler.class).run((context) -> {
			NotingHandler handler = context.getBean(NotingHandler.class);
			await().until(() -> handler.names.contains("one"));
			context.getSourceApplicationContext().restart();
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			await().until(() -> registry.get("noting").hasSynced());
			pods("two");
			await().until(() -> handler.names.contains("two"));
			assertThat(handler.calls).containsExactly("one", "one", "two");
			this.kubernetes.awaitWatches(1);
		});
	}

	private void pods(String... names) {
		for (String name : names) {
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", name));
		}
	}

	record Store(List<String> calls) implements DisposableBean {

		@Override
		public void destroy() {
			this.calls.add("closed");
		}

	}

	@InformerHandler(id = "blocking")
	static class BlockingHandler {

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		private final Store store;

		BlockingHandler(Store store) {
			this.store = store;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.entered.countDown();
			String name = pod.getMetadata().getName();
			try {
				this.release.await();
				this.store.calls.add(name);
			}
			catch (InterruptedException ex) {
				this.store.calls.add("interrupted " + name);
			}
		}

	}

	@InformerHandler(id = "noting")
	static class NotingHandler {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		private final Set<String> names = new CopyOnWriteArraySet<>();

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(pod.getMetadata().getName());
			this.names.add(pod.getMetadata().getName());
		}

		@OnDelete
		void deleted(V1Pod pod) {
			this.names.remove(pod.getMetadata().getName());
		}

	}

	@InformerHandler(id = "other")
	static class OtherHandler {

		@OnAdd
		void added(V1ConfigMap configMap) {
		}

	}

}
