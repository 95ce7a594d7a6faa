package dev.kubeinformer.spring.handler;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.EventListener;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.event.InformerFailedEvent;
import dev.kubeinformer.spring.handler.event.InformerHandlerSyncedEvent;
import dev.kubeinformer.spring.handler.event.InformersSyncedEvent;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the application events.
 */
class InformerApplicationEventTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withBean(Listener.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlersShouldBePublishedOneByOneAndThenAllTogether() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(PodHandler.class).withBean(LateHandler.class).withBean(NodeReader.class).run((context) -> {
			await().until(() -> published(context).contains("podHandler synced"));
			assertThat(published(context)).containsExactly("podHandler synced");
			context.getBean(LateHandler.class).release.countDown();
			await().until(() -> published(context).size() == 3);
			assertThat(published(context)).containsExactly("podHandler synced", "late synced",
					"all synced: [podHandler, late]");
		});
	}

	@Test
	void informersOfListersAloneShouldBePublishedToo() {
		this.runner.withBean(NodeReader.class).run((context) -> {
			await().until(() -> !published(context).isEmpty());
			assertThat(published(context)).containsExactly("all synced: []");
		});
	}

	@Test
	void handlersThatDoNotStartByThemselvesShouldNotBeWaitedFor() {
		this.runner.withBean(PodHandler.class)
			.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.handlers.podHandler.auto-startup=false")
			.run((context) -> await().until(() -> published(context).contains("all synced: [podHandler]")));
	}

	@Test
	void outageShouldBePublishedOnceAndOnceMoreWhenItComesBack() {
		this.runner.withBean(NodeReader.class).run((context) -> {
			await().until(() -> published(context).contains("all synced: []"));
			for (int i = 1; i <= 2; i++) {
				int outage = i;
				this.kubernetes.stopServing();
				await()
					.until(() -> published(context).stream().filter("nodes is STALE, null"::equals).count() == outage);
				this.kubernetes.resumeServing();
				await().until(() -> context.getBean(Informers.class)
					.informer(V1Node.class)
					.status()
					.state()
					.name()
					.equals("LIVE"));
			}
			assertThat(published(context)).containsExactly("all synced: []", "nodes is STALE, null",
					"nodes is STALE, null");
		});
	}

	@Test
	void informerThatNeverSyncsShouldBePublishedOnceWithTheReason() {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.runner.withBean(NodeReader.class).run((context) -> {
			await().until(() -> published(context).contains("nodes is FORBIDDEN, 403"));
			await().until(() -> this.kubernetes.requests().size() > 2);
			assertThat(published(context)).containsOnlyOnce("nodes is FORBIDDEN, 403");
		});
	}

	@Test
	void allShouldBePublishedAgainWhenTheContextStartsAgain() {
		this.runner.withBean(PodHandler.class).run((context) -> {
			await().until(() -> published(context).size() == 2);
			context.stop();
			context.start();
			await().until(() -> published(context).size() == 4);
			assertThat(published(context)).containsExactly("podHandler synced", "all synced: [podHandler]",
					"podHandler synced", "all synced: [podHandler]");
		});
	}

	@Test
	void listenerThatBlocksShouldHoldUpNobody() {
		this.runner.withBean(BlockingListener.class).withBean(PodHandler.class).run((context) -> {
			BlockingListener listener = context.getBean(BlockingListener.class);
			listener.called.await();
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			await().until(() -> context.getBean(PodHandler.class).added.contains("one"));
			listener.release.countDown();
		});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void listenerThatThrowsShouldBeNamedAndKeepNoEventFromOthers(CapturedOutput output) {
		this.runner.withBean(PodHandler.class).withBean(ThrowingListener.class).run((context) -> {
			await().until(() -> published(context).contains("all synced: [podHandler]"));
			await().until(() -> context.getBean(ThrowingListener.class).threads.size() == 2);
			assertThat(Set.copyOf(context.getBean(ThrowingListener.class).threads)).hasSize(1);
			assertThat(output.getOut()).contains("A listener of InformerHandlerSyncedEvent failed",
					"IllegalStateException: mine");
		});
	}

	@Test
	void childContextShouldTellOfItsOwnHandlers() {
		this.runner.withBean(NodeReader.class).run((parent) -> {
			await().until(() -> published(parent).contains("all synced: []"));
			InformerContextRunner.with(this.kubernetes).withParent(parent).withBean(PodHandler.class).run((child) -> {
				// Events of a child go to its parents as well.
				await().until(() -> published(parent).contains("all synced: [podHandler]"));
				assertThat(published(parent)).containsExactly("all synced: []", "podHandler synced",
						"all synced: [podHandler]");
			});
		});
	}

	private static List<String> published(ApplicationContext context) {
		return context.getBean(Listener.class).published;
	}

	static class Listener {

		private final List<String> published = new CopyOnWriteArrayList<>();

		@EventListener
		void synced(InformerHandlerSyncedEvent event) {
			assertThat(event.getDuration()).isPositive();
			this.published.add(event.getContainer().id() + " synced");
		}

		@EventListener
		void synced(InformersSyncedEvent event) {
			this.published
				.add("all synced: " + event.getRegistry().all().stream().map(InformerHandlerContainer::id).toList());
		}

		@EventListener
		void failed(InformerFailedEvent event) {
			this.published.add("%s is %s, %s".formatted(event.getInformer().id(), event.getState(),
					event.getError().httpStatus()));
		}

	}

	static class ThrowingListener implements ApplicationListener<ApplicationEvent> {

		private final List<Thread> threads = new CopyOnWriteArrayList<>();

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			if (event instanceof InformerHandlerSyncedEvent || event instanceof InformersSyncedEvent) {
				this.threads.add(Thread.currentThread());
			}
			if (event instanceof InformerHandlerSyncedEvent) {
				throw new IllegalStateException("mine");
			}
		}

	}

	static class BlockingListener {

		private final CountDownLatch called = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		@EventListener
		void synced(InformerHandlerSyncedEvent event) throws InterruptedException {
			this.called.countDown();
			this.release.await();
		}

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		private final List<String> added = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(V1Pod pod) {
			this.added.add(pod.getMetadata().getName());
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

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

}
