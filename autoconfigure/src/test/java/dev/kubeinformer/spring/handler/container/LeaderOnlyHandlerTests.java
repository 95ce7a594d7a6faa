package dev.kubeinformer.spring.handler.container;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.event.InformersSyncedEvent;
import dev.kubeinformer.spring.leader.FakeLeadership;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of handlers that get events only while their replica leads.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderOnlyHandlerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<V1ConfigMap> maps = this.kubernetes.resources(V1ConfigMap.class);

	private final FakeLeadership leadership = new FakeLeadership();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withPropertyValues("kubernetes.informers.namespaces=web", "kubernetes.informers.shutdown.drain-timeout=20s")
		.withBean(Leadership.class, () -> this.leadership)
		.withBean("maps", MapHandler.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void standbyShouldHaveAFilledCacheAndGetNoEvents() {
		create("one");
		this.runner.run((context) -> {
			InformerHandlerContainer container = container(context);
			assertThat(container.awaitSync(LONG)).isTrue();
			assertThat(container.isLeaderOnly()).isTrue();
			assertThat(container.isStandby()).isTrue();
			assertThat(container.isRunning()).isTrue();
			assertThat(container.hasSynced()).isTrue();
			assertThat(container.wasSynced()).isTrue();
			assertThat(container.status().sync().synced()).isTrue();
			assertThat(informer(context).handlers()).isEmpty();
			assertThat(handler(context).added).isEmpty();
		});
	}

	@Test
	void newLeaderShouldGetTheStateAsInitialAdditions() {
		create("one");
		this.runner.run((context) -> {
			container(context).awaitSync(LONG);
			this.maps.delete("web", "one");
			create("two");
			await().until(() -> informer(context).snapshot().get("web", "two") != null);
			this.leadership.grant();
			assertThat(container(context).isStandby()).isFalse();
			assertThat(container(context).awaitSync(LONG)).isTrue();
			assertThat(handler(context).added).containsExactly("two initial");
			assertThat(handler(context).deleted).isEmpty();
			this.maps.delete("web", "two");
			await().until(() -> handler(context).deleted.equals(List.of("two")));
		});
	}

	@Test
	void everyTermShouldBeginWithTheState() {
		create("one");
		this.runner.run((context) -> {
			container(context).awaitSync(LONG);
			this.leadership.grant();
			await().until(() -> handler(context).added.size() == 1);
			assertThat(this.leadership.release()).isTrue();
			assertThat(container(context).isStandby()).isTrue();
			create("two");
			await().until(() -> informer(context).snapshot().get("web", "two") != null);
			this.leadership.grant();
			await().until(() -> handler(context).added.size() == 3);
			assertThat(handler(context).added).containsExactlyInAnyOrder("one initial", "one initial", "two initial");
		});
	}

	@Test
	void drainShouldWaitForTheEventThatIsBeingHandled() {
		this.runner.run((context) -> {
			MapHandler handler = handler(context);
			handler.block = true;
			container(context).awaitSync(LONG);
			this.leadership.grant();
			create("one");
			handler.entered.await(20, TimeUnit.SECONDS);
			Thread release = new Thread(() -> {
				await().until(() -> container(context).isStandby());
				handler.go.countDown();
			});
			release.start();
			assertThat(this.leadership.release()).isTrue();
			assertThat(handler.interrupted).isFalse();
			assertThat(handler.added).containsExactly("one");
		});
	}

	@Test
	void workThatDoesNotEndShouldNotBeReleased() {
		this.runner.withPropertyValues("kubernetes.informers.shutdown.drain-timeout=100ms").run((context) -> {
			MapHandler handler = handler(context);
			handler.block = true;
			handler.ignoreInterrupts = true;
			this.leadership.grant();
			create("one");
			handler.entered.await(20, TimeUnit.SECONDS);
			assertThat(this.leadership.release()).isFalse();
			handler.go.countDown();
			await().until(() -> this.leadership.release());
		});
	}

	@Test
	void stoppedHandlerThatDoesNotEndShouldKeepTheLease() {
		this.runner.withPropertyValues("kubernetes.informers.shutdown.drain-timeout=100ms").run((context) -> {
			MapHandler handler = handler(context);
			handler.block = true;
			handler.ignoreInterrupts = true;
			this.leadership.grant();
			create("one");
			handler.entered.await(20, TimeUnit.SECONDS);
			container(context).stop();
			assertThat(this.leadership.release()).isFalse();
			handler.go.countDown();
			await().until(() -> this.leadership.release());
			assertThat(container(context).isRunning()).isFalse();
			assertThat(container(context).isStandby()).isFalse();
		});
	}

	@Test
	void termOfAnEarlierStartShouldNotDetachTheNext() {
		create("one");
		this.runner.run((context) -> {
			InformerHandlerContainer container = container(context);
			container.awaitSync(LONG);
			AtomicBoolean restarted = new AtomicBoolean();
			context.getBean(Informers.class).addListener(new InformerListener() {

				@Override
				public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
					if (restarted.compareAndSet(false, true)) {
						container.stop();
						container.start();
					}
				}

			});
			this.leadership.grant();
			assertThat(restarted).isTrue();
			assertThat(container.isStandby()).isFalse();
			assertThat(informer(context).handlers()).hasSize(1);
			await().until(() -> !handler(context).added.isEmpty());
		});
	}

	@Test
	void stoppedHandlerShouldEndItsPartWithItsLastDelivery() {
		this.runner.withPropertyValues("kubernetes.informers.shutdown.drain-timeout=100ms").run((context) -> {
			MapHandler handler = handler(context);
			handler.block = true;
			handler.ignoreInterrupts = true;
			this.leadership.grant();
			create("one");
			handler.entered.await(20, TimeUnit.SECONDS);
			int works = this.leadership.works();
			container(context).stop();
			assertThat(this.leadership.works()).isEqualTo(works);
			context.getBean(Informers.class).hooks().discard();
			assertThat(this.leadership.awaiting()).isEmpty();
			handler.go.countDown();
			await().until(() -> this.leadership.works() == works - 1);
		});
	}

	@Test
	void lossShouldInterruptTheHandlerAndWaitForNothing(CapturedOutput output) {
		this.runner.run((context) -> {
			MapHandler handler = handler(context);
			handler.block = true;
			container(context).awaitSync(LONG);
			this.leadership.grant();
			create("one");
			handler.entered.await(20, TimeUnit.SECONDS);
			create("two");
			this.leadership.lose();
			assertThat(container(context).isStandby()).isTrue();
			await().untilTrue(handler.interrupted);
			assertThat(handler.added).isEmpty();
			assertThat(container(context).status().deliveries().failed()).isZero();
			assertThat(container(context).status().lastError()).isNull();
			assertThat(output).doesNotContain("failed on");
		});
	}

	@Test
	void eventsAfterTheTermByTheClocksShouldBeDropped() {
		this.runner.run((context) -> {
			container(context).awaitSync(LONG);
			this.leadership.grant();
			create("one");
			await().until(() -> handler(context).added.size() == 1);
			await().until(() -> container(context).status().deliveries().processed() == 1);
			this.leadership.expire();
			create("two");
			await().until(() -> informer(context).snapshot().get("web", "two") != null);
			await().until(() -> {
				HandlerStatus status = container(context).status();
				return status.queue().size() == 0 && status.handling() == null;
			});
			assertThat(handler(context).added).containsExactly("one");
			assertThat(container(context).status().deliveries().processed()).isOne();
			assertThat(container(context).status().deliveries().failed()).isZero();
		});
	}

	@Test
	void pauseOfAStandbyShouldHoldInTheNextTerm() {
		create("one");
		this.runner.run((context) -> {
			InformerHandlerContainer container = container(context);
			assertThat(container.awaitSync(LONG)).isTrue();
			container.pause();
			assertThat(container.status().paused()).isTrue();
			container.resync();
			this.leadership.grant();
			await().until(() -> container.status().queue().size() == 1);
			assertThat(handler(context).added).isEmpty();
			container.resume();
			await().until(() -> handler(context).added.size() == 1);
		});
	}

	@Test
	void pauseOfAStandbyShouldHoldWhenACacheIsFilledAtTheGrant() {
		create("one");
		this.runner.run((context) -> {
			InformerHandlerContainer container = container(context);
			assertThat(container.awaitSync(LONG)).isTrue();
			container.pause();
			AtomicBoolean held = new AtomicBoolean();
			context.getBean(Informers.class).addListener(new InformerListener() {

				@Override
				public void handlerAdded(Informer<?> informer, HandlerRegistration registration) {
					((DefaultInformerHandlerContainer<?>) container).reconsider(informer);
					await().during(Duration.ofMillis(200)).until(handler(context).added::isEmpty);
					held.set(true);
				}

			});
			this.leadership.grant();
			assertThat(held).isTrue();
			assertThat(container.status().queue().size()).isEqualTo(1);
			assertThat(handler(context).added).isEmpty();
			container.resume();
			await().until(() -> handler(context).added.size() == 1);
		});
	}

	@Test
	void stoppedHandlerShouldGetNothingAtAGrant() {
		create("one");
		this.runner.run((context) -> {
			InformerHandlerContainer container = container(context);
			container.awaitSync(LONG);
			container.stop();
			assertThat(container.isRunning()).isFalse();
			assertThat(container.isStandby()).isFalse();
			assertThat(container.hasSynced()).isFalse();
			assertThatIllegalStateException().isThrownBy(container::pause).withMessageContaining("is not started");
			int works = this.leadership.works();
			this.leadership.grant();
			assertThat(informer(context).handlers()).isEmpty();
			container.start();
			assertThat(this.leadership.works()).isEqualTo(works + 1);
			await().until(() -> handler(context).added.size() == 1);
		});
	}

	@Test
	void candidateShouldWaitForTheCacheThatIsBeingFilled() {
		Fault fault = this.kubernetes.faults().on(Requests.list("configmaps")).freeze();
		this.runner.run((context) -> {
			String id = context.getBean(Informers.class).all().iterator().next().id();
			await().until(() -> this.leadership.awaiting().equals(List.of(id)));
			fault.remove();
			this.kubernetes.dropConnections();
			await().until(() -> this.leadership.awaiting().isEmpty());
			assertThat(container(context).hasSynced()).isTrue();
		});
	}

	@Test
	void standbyShouldCountAsSynced() {
		this.runner.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true")
			.withBean(SyncedListener.class)
			.run((context) -> {
				assertThat(container(context).hasSynced()).isTrue();
				assertThat(context.getBean(SyncedListener.class).synced.await(20, TimeUnit.SECONDS)).isTrue();
			});
	}

	@Test
	void stopOfTheContextShouldEndTheRegistration() {
		this.runner.run((context) -> {
			container(context).awaitSync(LONG);
			assertThat(this.leadership.works()).isPositive();
			context.close();
			assertThat(this.leadership.works()).isZero();
		});
	}

	@Test
	void propertyShouldReplaceTheAnnotation() {
		create("one");
		this.runner.withPropertyValues("kubernetes.informers.handlers.maps.leader-only=false").run((context) -> {
			assertThat(container(context).isLeaderOnly()).isFalse();
			await().until(() -> handler(context).added.size() == 1);
		});
	}

	private void create(String name) {
		this.maps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("web").name(name)).data(Map.of()));
	}

	private static InformerHandlerContainer container(ApplicationContext context) {
		return context.getBean(InformerHandlerRegistry.class).get("maps");
	}

	private static Informer<V1ConfigMap> informer(ApplicationContext context) {
		return context.getBean(Informers.class).informer(InformerSpec.of(V1ConfigMap.class).withNamespaces("web"));
	}

	private static MapHandler handler(ApplicationContext context) {
		return context.getBean(MapHandler.class);
	}

	@InformerHandler(leaderOnly = "true")
	static class MapHandler {

		private final List<String> added = new CopyOnWriteArrayList<>();

		private final List<String> deleted = new CopyOnWriteArrayList<>();

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch go = new CountDownLatch(1);

		private final AtomicBoolean interrupted = new AtomicBoolean();

		private volatile boolean block;

		private volatile boolean ignoreInterrupts;

		@OnAdd
		void added(ResourceEvent<V1ConfigMap> event) throws InterruptedException {
			this.entered.countDown();
			if (this.block) {
				block();
			}
			this.added.add(event.object().getMetadata().getName() + (event.initial() ? " initial" : ""));
		}

		private void block() throws InterruptedException {
			while (true) {
				try {
					this.go.await();
					return;
				}
				catch (InterruptedException ex) {
					this.interrupted.set(true);
					if (!this.ignoreInterrupts) {
						throw ex;
					}
				}
			}
		}

		@OnDelete
		void deleted(V1ConfigMap map) {
			this.deleted.add(map.getMetadata().getName());
		}

	}

	static class SyncedListener {

		private final CountDownLatch synced = new CountDownLatch(1);

		@EventListener
		void synced(InformersSyncedEvent event) {
			this.synced.countDown();
		}

	}

}
