package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what health says, in good times and in each kind of bad ones.
 */
class InformersHealthTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(InformerHealthContributorAutoConfiguration.class));

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void contributorWhenDisabledShouldBeAbsent() {
		this.runner.withPropertyValues("management.health.informers.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(InformersHealthContributor.class));
	}

	@Test
	void contributorWhenInformersAreOffShouldBeAbsent() {
		this.runner.withPropertyValues("kubernetes.informers.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(InformersHealthContributor.class));
	}

	@Test
	void contributorWhenUserDefinesItShouldBackOff() {
		this.runner.withBean("informersHealthContributor", HealthIndicator.class, () -> () -> Health.up().build())
			.run((context) -> assertThat(context).doesNotHaveBean(InformersHealthContributor.class));
	}

	@Test
	void healthShouldHaveAChildPerHandlerAndPerInformerOfListers() {
		this.runner.withBean(PodHandler.class)
			.withBean(NodeReader.class)
			.run((context) -> assertThat(context.getBean(InformersHealthContributor.class).stream())
				.extracting((entry) -> entry.name())
				.containsExactly("podHandler", "nodes"));
	}

	@Test
	void informerWhoseHandlersDoNotRunShouldHaveAChild() {
		this.runner.withBean(PodHandler.class)
			.withBean(PodReader.class)
			.withPropertyValues("kubernetes.informers.handlers.podHandler.auto-startup=false")
			.run((context) -> {
				assertChildren(context, "podHandler", "pods");
				awaitStatus(context, "pods", Status.UP);
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
				container.start();
				assertChildren(context, "podHandler");
				container.stop();
				assertChildren(context, "podHandler", "pods");
			});
	}

	@Test
	void informerOfAHandlerThatWasStoppedShouldHaveNoChildOfItsOwn() {
		this.runner.withBean(PodHandler.class).withBean(PodReader.class).run((context) -> {
			context.getBean(InformerHandlerRegistry.class).get("podHandler").stop();
			assertChildren(context, "podHandler");
		});
	}

	private static void assertChildren(ApplicationContext context, String... names) {
		assertThat(context.getBean(InformersHealthContributor.class).stream()).extracting((entry) -> entry.name())
			.containsExactly(names);
	}

	@Test
	void healthWhenSyncedShouldBeUpWithDetails() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitStatus(context, "podHandler", Status.UP);
			awaitDetail(context, "podHandler", "state", "LIVE");
			assertThat(health(context, "podHandler").getDetails()).containsEntry("resource", "pods")
				.containsEntry("namespaces", List.of("*"))
				.containsEntry("synced", true)
				.containsEntry("cacheSize", 1)
				.containsEntry("queueSize", 0)
				.containsKeys("syncedAt", "since")
				.doesNotContainKeys("error", "requiredRbac", "failed", "lastFailure", "quarantined", "shard",
						"shardMode", "metadata");
		});
	}

	@Test
	void healthOfListersInformerWhenSyncedShouldBeUp() {
		this.kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
		this.runner.withBean(NodeReader.class).run((context) -> {
			awaitStatus(context, "nodes", Status.UP);
			awaitDetail(context, "nodes", "state", "LIVE");
			assertThat(health(context, "nodes").getDetails()).containsEntry("cacheSize", 1);
		});
	}

	@Test
	void shardAndMetadataFormShouldBeDetails() {
		this.kubernetes.shardedListAndWatch(true);
		this.kubernetes.resources(V1Pod.class).fill(150, (i) -> TestObjects.pod("web", "p" + i));
		this.runner.withBean(ShardReader.class).run((context) -> {
			awaitDetail(context, "pods-metadata-uid-2-of-3", "state", "LIVE");
			assertThat(health(context, "pods-metadata-uid-2-of-3").getDetails()).containsEntry("shard", "2/3 by uid")
				.containsEntry("shardMode", "SERVER")
				.containsEntry("metadata", "SERVER");
		});
	}

	@Test
	void shardWhoseModeIsNotKnownShouldBeADetailAlone() {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		this.runner.withBean(ShardReader.class).run((context) -> {
			awaitDetail(context, "pods-metadata-uid-2-of-3", "state", "FORBIDDEN");
			assertThat(health(context, "pods-metadata-uid-2-of-3").getDetails()).containsEntry("shard", "2/3 by uid")
				.containsKey("requiredRbac")
				.doesNotContainKeys("shardMode", "metadata");
		});
	}

	@Test
	void healthWhenHandlerWaitsForAnotherCacheShouldNameIt() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.runner.withBean(NodeReader.class).withBean(ReadingHandler.class).run((context) -> {
			awaitDetail(context, "readingHandler", "state", "LIVE");
			assertThat(health(context, "readingHandler")).satisfies((health) -> {
				assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
				assertThat(health.getDetails()).containsEntry("awaiting", List.of("nodes"))
					.containsEntry("queueSize", 1);
			});
			awaitStatus(context, "nodes", Status.DOWN);
			this.kubernetes.faults().clear();
			awaitStatus(context, "readingHandler", Status.UP);
			assertThat(health(context, "readingHandler").getDetails()).doesNotContainKey("awaiting");
		});
	}

	@Test
	void healthWhenHandlerBlocksShouldBeOutOfServiceUntilItsLastAddReturns() {
		this.kubernetes.resources(V1Pod.class).fill(20, (i) -> TestObjects.pod("web", "p" + i));
		this.runner.withBean(BlockingHandler.class).run((context) -> {
			BlockingHandler handler = context.getBean(BlockingHandler.class);
			await().until(() -> context.getBean(Informers.class).informer(V1Pod.class).hasSynced());
			awaitDetail(context, "blockingHandler", "state", "LIVE");
			Health health = health(context, "blockingHandler");
			assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(health.getDetails()).containsEntry("synced", false).containsKey("pendingInitial");
			handler.release.countDown();
			awaitStatus(context, "blockingHandler", Status.UP);
		});
	}

	@Test
	void healthWhenHandlerBlocksLaterShouldShowItsQueue() {
		this.runner.withBean(BlockingHandler.class).run((context) -> {
			awaitStatus(context, "blockingHandler", Status.UP);
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "blocked"));
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "next"));
			awaitDetail(context, "blockingHandler", "queueSize", 1);
			assertThat(health(context, "blockingHandler").getStatus()).isEqualTo(Status.UP);
			context.getBean(BlockingHandler.class).release.countDown();
			awaitDetail(context, "blockingHandler", "queueSize", 0);
		});
	}

	@Test
	void healthWhenHandlerBlocksShouldNameTheObject() {
		this.runner.withBean(BlockingHandler.class).run((context) -> {
			awaitStatus(context, "blockingHandler", Status.UP);
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "blocked"));
			await().untilAsserted(
					() -> assertThat(health(context, "blockingHandler").getDetails()).containsKey("handling"));
			assertThat(health(context, "blockingHandler").getDetails().get("handling"))
				.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
				.containsEntry("object", "web/blocked")
				.containsKey("since");
			context.getBean(BlockingHandler.class).release.countDown();
			await().untilAsserted(
					() -> assertThat(health(context, "blockingHandler").getDetails()).doesNotContainKey("handling"));
		});
	}

	@Test
	void healthWhenEventIsHandledForLessThanASecondShouldNotNameIt() {
		assertThat(details(Instant.now().plusSeconds(60))).doesNotContainKey("handling");
		assertThat(details(Instant.now().minusSeconds(2))).containsKey("handling");
	}

	private static Map<String, Object> details(Instant since) {
		Health.Builder health = Health.up();
		new InformerDetails(health).handler(new HandlerStatus(new HandlerStatus.Sync(true, null, true, 0),
				new HandlerStatus.Queue(0, 0, 0, 0), new HandlerStatus.Deliveries(0, 0, 0, 0), false,
				new HandlerStatus.Handling(since, "web/one"), null));
		return health.build().getDetails();
	}

	@Test
	void healthWhenHandlerThrowsShouldNameExceptionAndObject() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=0")
			.run((context) -> {
				awaitStatus(context, "failingHandler", Status.UP);
				awaitDetail(context, "failingHandler", "failed", 1L);
				Health health = health(context, "failingHandler");
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails().get("lastFailure"))
					.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
					.containsEntry("exception", IllegalArgumentException.class.getName())
					.containsEntry("object", "web/one");
				assertThat(health.getDetails().toString()).doesNotContain("s3cret");
			});
	}

	@Test
	void healthWhenAnObjectIsMalformedShouldCountIt() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
		this.kubernetes.faults()
			.corrupt(V1Pod.class, "web", "one", (json) -> json.replaceFirst("\\}$", ",\"spec\":{\"containers\":42}}"));
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitStatus(context, "podHandler", Status.UP);
			awaitDetail(context, "podHandler", "state", "LIVE");
			assertThat(health(context, "podHandler").getDetails()).containsEntry("quarantined", 1)
				.containsEntry("cacheSize", 1)
				.containsKey("error");
		});
	}

	@Test
	void healthWhenForbiddenShouldNameTheMissingRule() {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		this.runner.withBean(PodHandler.class).withBean(NodeReader.class).run((context) -> {
			awaitStatus(context, "podHandler", Status.DOWN);
			awaitDetail(context, "podHandler", "state", "FORBIDDEN");
			Map<String, Object> details = health(context, "podHandler").getDetails();
			assertThat(details.get("requiredRbac").toString()).contains("ClusterRole", "pods", "list", "watch");
			assertThat(details.get("error")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("httpStatus", 403)
				.containsEntry("reason", "Forbidden")
				.containsOnlyKeys("at", "verb", "httpStatus", "reason");
			awaitStatus(context, "nodes", Status.UP);
		});
	}

	@Test
	void healthWhenServerDoesNotKnowTheResourceShouldBeDown() {
		this.kubernetes.faults().on(Requests.of("pods")).status(404);
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitDetail(context, "podHandler", "state", "NOT_FOUND");
			assertThat(health(context, "podHandler").getStatus()).isEqualTo(Status.DOWN);
			this.kubernetes.faults().clear();
			awaitStatus(context, "podHandler", Status.UP);
		});
	}

	@Test
	void healthShouldSayHowOldTheLastEventIs() {
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitStatus(context, "podHandler", Status.UP);
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			awaitDetail(context, "podHandler", "cacheSize", 1);
			assertThat(health(context, "podHandler").getDetails().get("lastEventAge")).asString().matches("[0-9]+s");
		});
	}

	@Test
	void contributorWithoutHealthOnTheClassPathShouldBeAbsent() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health.contributor"))
			.withConfiguration(AutoConfigurations.of(InformerReadinessAutoConfiguration.class))
			.withBean(PodHandler.class)
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("informersHealthContributor");
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			});
	}

	@Test
	void readinessWithoutActuatorOnTheClassPathShouldBeAbsent() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.withConfiguration(AutoConfigurations.of(InformerReadinessAutoConfiguration.class))
			.withBean(PodHandler.class)
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.hasSingleBean(InformersHealthContributor.class)
					.doesNotHaveBean(InformerReadinessAutoConfiguration.class);
				awaitStatus(context, "podHandler", Status.UP);
			});
	}

	@Test
	void contributorWhenAllAreOffByDefaultShouldBeAbsent() {
		this.runner.withPropertyValues("management.health.defaults.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(InformersHealthContributor.class));
	}

	@Test
	void healthWhenServerIsUnreachableFromTheStartShouldBeDown() {
		this.kubernetes.stopServing();
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitStatus(context, "podHandler", Status.DOWN);
			assertThat(health(context, "podHandler").getDetails()).containsKey("error");
			this.kubernetes.resumeServing();
			awaitStatus(context, "podHandler", Status.UP);
		});
	}

	@Test
	void healthWhenWatchDropsShouldStayUpAndSaySo() {
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitStatus(context, "podHandler", Status.UP);
			this.kubernetes.stopServing();
			awaitDetail(context, "podHandler", "state", "STALE");
			assertThat(health(context, "podHandler").getStatus()).isEqualTo(Status.UP);
			assertThat(health(context, "podHandler").getDetails()).containsKeys("since", "error");
			this.kubernetes.resumeServing();
			awaitDetail(context, "podHandler", "state", "LIVE");
			assertThat(health(context, "podHandler").getDetails()).doesNotContainKey("error");
		});
	}

	@Test
	void healthWhenPausedOrStoppedShouldBeUnknown() {
		this.runner.withBean(PodHandler.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
			awaitStatus(context, "podHandler", Status.UP);
			container.pause();
			assertThat(health(context, "podHandler").getStatus()).isEqualTo(Status.UNKNOWN);
			container.resume();
			awaitStatus(context, "podHandler", Status.UP);
			container.stop();
			assertThat(health(context, "podHandler").getStatus()).isEqualTo(Status.UNKNOWN);
			assertThat(health(context, "podHandler").getDetails()).containsEntry("handler", "stopped");
		});
	}

	@Test
	void healthWhenNeverStartedShouldBeUnknown() {
		this.runner.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.podHandler.auto-startup=false")
			.run((context) -> assertThat(health(context, "podHandler").getStatus()).isEqualTo(Status.UNKNOWN));
	}

	private static void awaitStatus(ApplicationContext context, String child, Status status) {
		await().untilAsserted(() -> assertThat(health(context, child).getStatus()).isEqualTo(status));
	}

	private static void awaitDetail(ApplicationContext context, String child, String detail, Object value) {
		await().untilAsserted(() -> assertThat(health(context, child).getDetails()).containsEntry(detail, value));
	}

	private static Health health(ApplicationContext context, String child) {
		HealthIndicator indicator = (HealthIndicator) context.getBean(InformersHealthContributor.class)
			.getContributor(child);
		return indicator.health();
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "blockingHandler")
	static class BlockingHandler {

		private final CountDownLatch release = new CountDownLatch(1);

		@OnAdd
		@OnUpdate
		void added(V1Pod pod) throws InterruptedException {
			if (pod.getMetadata().getName().equals("p19") || pod.getMetadata().getName().equals("blocked")) {
				this.release.await();
			}
		}

	}

	@InformerHandler(id = "failingHandler")
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalArgumentException("s3cret");
		}

	}

	@InformerHandler(id = "readingHandler")
	static class ReadingHandler {

		ReadingHandler(NodeReader nodes) {
		}

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class ShardReader {

		ShardReader(Informers informers) {
			informers.informer(InformerSpec.metadata(V1Pod.class).withShard(new Shard(ShardKey.UID, 2, 3)));
		}

	}

	static class PodReader {

		PodReader(Lister<V1Pod> pods) {
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

}
