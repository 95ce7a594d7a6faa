package dev.kubeinformer.spring.handler.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of when {@link InformersSyncedEvent} and {@link InformerHandlerSyncedEvent} are
 * published.
 */
class InformersSyncedEventTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withBean(Listener.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@RepeatedTest(40)
	void eachStartShouldTellThatAllAreSynced() {
		this.runner.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true")
			.run((context) -> {
				await().until(() -> published(context).size() == 2);
				assertThat(published(context)).containsExactly("podHandler synced", "all synced");
			});
	}

	@Test
	void handlerThatIsAddedByHandShouldNotBeTakenForOneOfTheSameId() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(LateHandler.class).run((context) -> {
			HandlerRegistration other = context.getBean(Informers.class).informer(V1Pod.class).addHandler((event) -> {
			}, HandlerOptions.defaults().withId("late"));
			await().until(other::hasSynced);
			context.getBean(LateHandler.class).release.countDown();
			await().until(() -> published(context).contains("all synced"));
			assertThat(published(context)).containsExactly("late synced", "all synced");
		});
	}

	@Test
	void handlersOfTheSameIdInSiblingContextsShouldBePublishedEachToItsOwn() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		InformerContextRunner.with(this.kubernetes).run((parent) -> {
			ApplicationContextRunner child = this.runner.withParent(parent);
			child.withBean(LateHandler.class).run((late) -> {
				child.withBean(QuickHandler.class).run((quick) -> {
					await().until(() -> published(quick).contains("all synced"));
					assertThat(published(quick)).containsExactly("late synced", "all synced");
				});
				late.getBean(LateHandler.class).release.countDown();
				await().until(() -> published(late).contains("all synced"));
				assertThat(published(late)).containsExactly("late synced", "all synced");
			});
		});
	}

	@Test
	void informerThatHeldTheEventBackShouldNotDoSoWhenItIsGone() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.runner.withBean(LateHandler.class).run((context) -> {
			InformerLease<V1Node> lease = context.getBean(Informers.class).lease(InformerSpec.of(V1Node.class));
			context.getBean(LateHandler.class).release.countDown();
			await().until(() -> published(context).contains("late synced"));
			lease.close();
			await().until(() -> published(context).contains("all synced"));
			assertThat(published(context)).containsExactly("late synced", "all synced");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void handlerThatHeldTheEventBackShouldNotDoSoWhenItIsUnregistered(boolean stopped) {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(LateRegistration.class).withBean(PodHandler.class).run((context) -> {
			await().until(() -> published(context).contains("podHandler synced"));
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			if (stopped) {
				registry.get("registered").stop();
			}
			assertThat(published(context)).containsExactly("podHandler synced");
			registry.unregister("registered");
			await().until(() -> published(context).contains("all synced"));
			assertThat(published(context)).containsExactly("podHandler synced", "all synced");
		});
	}

	@Test
	void contextThatHasNothingLeftShouldTellNothing() {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.runner.run((context) -> {
			context.getBean(Informers.class).lease(InformerSpec.of(V1Node.class)).close();
			context.getBean(Informers.class).lease(InformerSpec.of(V1Pod.class));
			await().until(() -> published(context).contains("all synced"));
			assertThat(published(context)).containsExactly("all synced");
			assertThat(context.getBean(Listener.class).informers).isEqualTo(1);
		});
	}

	private static List<String> published(ApplicationContext context) {
		return context.getBean(Listener.class).published;
	}

	static class Listener {

		private final List<String> published = new CopyOnWriteArrayList<>();

		private final Informers all;

		private volatile int informers;

		Listener(Informers all) {
			this.all = all;
		}

		@EventListener
		void synced(InformerHandlerSyncedEvent event) {
			this.published.add(event.getContainer().id() + " synced");
		}

		@EventListener
		void synced(InformersSyncedEvent event) {
			this.informers = this.all.all().size();
			this.published.add("all synced");
		}

	}

	/**
	 * Has a handler that never returns by itself.
	 */
	static class LateRegistration {

		LateRegistration(InformerHandlerRegistry registry) {
			registry.register("registered", InformerSpec.of(V1Pod.class),
					HandlerOptions.defaults().withDrainTimeout(Duration.ofMillis(10)),
					(ResourceEvent<V1Pod> event) -> new CountDownLatch(1).await());
		}

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "late")
	static class LateHandler {

		private final CountDownLatch release = new CountDownLatch(1);

		@OnAdd
		void added(V1Pod pod) throws InterruptedException {
			this.release.await();
		}

	}

	@InformerHandler(id = "late")
	static class QuickHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
