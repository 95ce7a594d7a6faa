package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoublePredicate;
import java.util.stream.Stream;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.autoconfigure.client.ApiClientCustomizer;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.container.InformerHandlerConfiguration;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests of the meters of informers and handlers that run on the embedded API.
 */
class InformerMetricsTests {

	private static final Shard SHARD = new Shard(ShardKey.UID, 0, 3);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
		.withBean(SimpleMeterRegistry.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void metersWhenSyncedShouldShowTheInformerAndTheHandler() {
		this.kubernetes.resources(V1Pod.class).fill(3, (i) -> TestObjects.pod("web", "p" + i));
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.handler.synced", 1, "handler", "podHandler");
			assertThat(value(context, "kubernetes.informer.synced")).isEqualTo(1);
			assertThat(value(context, "kubernetes.informer.cache.size")).isEqualTo(3);
			assertThat(value(context, "kubernetes.informer.handler.queue.size")).isZero();
			awaitValue(context, "kubernetes.informer.sync.time", (seconds) -> seconds > 0 && seconds < 60);
			assertThat(registry(context).get("kubernetes.informer.list").tag("outcome", "success").timer().count())
				.isEqualTo(1);
			await().until(() -> registry(context).get("kubernetes.informer.handler.queue.time").timer().count() == 3);
			assertThat(registry(context).get("kubernetes.informer.handler.queue.time").timer().getId().getTags())
				.containsExactly(Tag.of("handler", "podHandler"), Tag.of("informer", "pods"),
						Tag.of("resource", "pods"));
			// Events that have not occurred are exported as zero, so that the first one
			// shows as an increase.
			assertThat(sum(context, "kubernetes.informer.relists")).isZero();
			assertThat(sum(context, "kubernetes.informer.warnings")).isZero();
			assertThat(sum(context, "kubernetes.informer.watch.restarts")).isZero();
			assertThat(ours(context)).noneMatch((meter) -> meter.getId().getName().contains("shard"));
		});
	}

	@Test
	void warningsOfTheApiServerShouldBeCounted() {
		ApiClientCustomizer warned = (client) -> client.setHttpClient(client.getHttpClient()
			.newBuilder()
			.addNetworkInterceptor((chain) -> chain.proceed(chain.request())
				.newBuilder()
				.header("Warning", "299 - \"v1 Pod is deprecated\"")
				.build())
			.build());
		this.runner.withBean(PodHandler.class).withBean(ApiClientCustomizer.class, () -> warned).run((context) -> {
			// One warning of the list and one of the watch.
			awaitValue(context, "kubernetes.informer.warnings", (count) -> count >= 2);
			assertThat(registry(context).get("kubernetes.informer.warnings").counter().getId().getTags())
				.containsExactly(Tag.of("informer", "pods"), Tag.of("resource", "pods"));
		});
	}

	@Test
	void shardShouldShowItsModeAndCountWhatWasDroppedAcrossRestarts() {
		this.kubernetes.resources(V1Pod.class).fill(30, (i) -> TestObjects.pod("web", "p" + i));
		this.runner.withBean(ShardReader.class).run((context) -> {
			Informers informers = context.getBean(Informers.class);
			awaitValue(context, "kubernetes.informer.synced", 1);
			double foreign = 30 - value(context, "kubernetes.informer.cache.size");
			assertThat(foreign).isBetween(1d, 29d);
			assertThat(value(context, "kubernetes.informer.shard.foreign")).isEqualTo(foreign);
			assertThat(value(context, "kubernetes.informer.shard.server")).isZero();
			assertThat(value(context, "kubernetes.informer.shards")).isEqualTo(3);
			assertThat(registry(context).get("kubernetes.informer.shard.foreign").meter().getId().getTags())
				.containsExactly(Tag.of("informer", "pods-uid-0-of-3"), Tag.of("resource", "pods"));
			informers.stop();
			this.kubernetes.resources(V1Pod.class)
				.list()
				.stream()
				.filter((pod) -> !SHARD.contains("web", pod.getMetadata().getUid()))
				.skip(1)
				.forEach((pod) -> this.kubernetes.resources(V1Pod.class).delete("web", pod.getMetadata().getName()));
			informers.start();
			awaitValue(context, "kubernetes.informer.shard.foreign", foreign + 1);
		});
	}

	@Test
	void slotsThatMoveShouldShowTheirMode() {
		this.kubernetes.resources(V1Pod.class).fill(30, (i) -> TestObjects.pod("web", "p" + i));
		this.runner.withBean(SlotReader.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.synced", 1);
			assertThat(value(context, "kubernetes.informer.shard.server")).isZero();
			assertThat(value(context, "kubernetes.informer.shard.foreign"))
				.isEqualTo(30 - value(context, "kubernetes.informer.cache.size"));
		});
	}

	@Test
	void shardThatTheServerLimitsItselfToShouldShowThat() {
		this.kubernetes.shardedListAndWatch(true);
		this.kubernetes.resources(V1Pod.class).fill(150, (i) -> TestObjects.pod("web", "p" + i));
		this.runner.withBean(ShardReader.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.synced", 1);
			assertThat(value(context, "kubernetes.informer.shard.server")).isEqualTo(1);
			assertThat(value(context, "kubernetes.informer.shard.foreign")).isZero();
		});
	}

	@Test
	void shardWhoseModeIsNotKnownShouldHaveNoValueOfIt() {
		this.runner.withBean(MetadataShardReader.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.synced", 1);
			assertThat(value(context, "kubernetes.informer.shard.server")).isNaN();
			assertThat(value(context, "kubernetes.informer.shard.foreign")).isZero();
		});
	}

	@Test
	void eventsOfTheServerShouldBeCountedByTypeAndTellTheirAge() {
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.handler.synced", 1, "handler", "podHandler");
			this.kubernetes.awaitWatches(1);
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			this.kubernetes.resources(V1Pod.class)
				.edit("web", "one", (pod) -> pod.getMetadata().putLabelsItem("a", "b"));
			this.kubernetes.resources(V1Pod.class).delete("web", "one");
			this.kubernetes.sendBookmarks();
			for (String event : List.of("added", "modified", "deleted", "bookmark")) {
				awaitValue(context, "kubernetes.informer.events", 1, "event", event);
			}
			assertThat(value(context, "kubernetes.informer.last.event.age")).isBetween(0d, 60d);
			context.getBean(Informers.class).stop();
			assertThat(value(context, "kubernetes.informer.last.event.age")).isNaN();
		});
	}

	@Test
	void ageAndStalenessShouldShowInAnOutageBeforeTheFirstEvent() {
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.handler.synced", 1, "handler", "podHandler");
			this.kubernetes.awaitWatches(1);
			assertThat(value(context, "kubernetes.informer.stale.time")).isZero();
			this.kubernetes.stopServing();
			awaitValue(context, "kubernetes.informer.stale.time", (seconds) -> seconds > 0 && seconds < 60);
			assertThat(sum(context, "kubernetes.informer.events")).isZero();
			assertThat(value(context, "kubernetes.informer.last.event.age")).isBetween(0.001, 60d);
			this.kubernetes.resumeServing();
			awaitValue(context, "kubernetes.informer.stale.time", 0);
			context.getBean(Informers.class).stop();
			assertThat(value(context, "kubernetes.informer.stale.time")).isZero();
			assertThat(value(context, "kubernetes.informer.last.event.age")).isNaN();
		});
	}

	@Test
	void ageBeforeTheFirstSyncShouldHaveNoValue() {
		this.kubernetes.stopServing();
		this.runner.withBean(PodHandler.class).run((context) -> {
			await().until(() -> registry(context).get("kubernetes.informer.list")
				.tag("outcome", "error")
				.timer()
				.count() > 0);
			assertThat(value(context, "kubernetes.informer.last.event.age")).isNaN();
			assertThat(value(context, "kubernetes.informer.stale.time")).isZero();
		});
	}

	@Test
	void relistsAndWatchRestartsShouldBeCountedByReason() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.handler.synced", 1, "handler", "podHandler");
			this.kubernetes.awaitWatches(1);
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
			this.kubernetes.resources(V1Pod.class).delete("web", "two");
			awaitValue(context, "kubernetes.informer.events", 1, "event", "deleted");
			this.kubernetes.compact();
			this.kubernetes.faults().on(Requests.watch("pods")).times(1).status(410);
			this.kubernetes.dropConnections();
			awaitValue(context, "kubernetes.informer.relists", 1, "reason", "expired");
			awaitValue(context, "kubernetes.informer.watch.restarts", 1, "reason", "expired");
			assertThat(value(context, "kubernetes.informer.watch.restarts", "reason", "broken"))
				.isGreaterThanOrEqualTo(1);
			assertThat(sum(context, "kubernetes.informer.relists")).isEqualTo(1);
		});
	}

	@Test
	void listsThatFailShouldBeTimedApart() {
		this.kubernetes.faults().on(Requests.of("pods")).times(2).status(500);
		this.runner.withBean(PodHandler.class)
			.run((context) -> await().untilAsserted(
					() -> assertThat(registry(context).get("kubernetes.informer.list").tag("outcome", "error").timer())
						.satisfies((timer) -> assertThat(timer.count()).isEqualTo(2))
						.satisfies((timer) -> assertThat(timer.totalTime(TimeUnit.SECONDS)).isPositive())));
	}

	@Test
	void objectsThatCannotBeReadShouldBeCounted() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "bad"));
		this.kubernetes.faults().corrupt(V1Pod.class, "web", "bad", (json) -> json.replaceFirst("\\{", "{\"spec\":7,"));
		this.runner.withBean(PodHandler.class)
			.run((context) -> awaitValue(context, "kubernetes.informer.decode.errors", 1));
	}

	@Test
	void retriesAndGivenUpEventsShouldBeCounted() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=2", "kubernetes.informers.retry.delay=1ms",
					"kubernetes.informers.retry.jitter=0")
			.run((context) -> {
				awaitValue(context, "kubernetes.informer.handler.exhausted", 1, "handler", "failingHandler");
				assertThat(value(context, "kubernetes.informer.handler.retries", "handler", "failingHandler"))
					.isEqualTo(2);
				assertThat(registry(context).get("kubernetes.informer.handler.queue.time").timer().count())
					.isEqualTo(1);
			});
	}

	@Test
	void queueAndMergedEventsOfABusyHandlerShouldShow() {
		this.runner.withBean(BlockingHandler.class)
			.withPropertyValues("kubernetes.informers.queue-capacity=1")
			.run((context) -> {
				awaitValue(context, "kubernetes.informer.handler.synced", 1);
				this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "blocked"));
				await().until(() -> context.getBean(BlockingHandler.class).calls.get() == 1);
				this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "waiting"));
				for (int i = 0; i < 5; i++) {
					String value = "v" + i;
					this.kubernetes.resources(V1Pod.class)
						.edit("web", "waiting", (pod) -> pod.getMetadata().putLabelsItem("a", value));
				}
				awaitValue(context, "kubernetes.informer.handler.merged", 5);
				assertThat(value(context, "kubernetes.informer.handler.queue.size")).isEqualTo(1);
				context.getBean(BlockingHandler.class).release.countDown();
				awaitValue(context, "kubernetes.informer.handler.queue.size", 0);
			});
	}

	@Test
	void handlerThatStopsShouldLoseItsMetersAndGetThemBack() {
		this.runner.withBean(PodHandler.class).run((context) -> {
			awaitValue(context, "kubernetes.informer.handler.synced", 1);
			InformerHandlerRegistry handlers = context.getBean(InformerHandlerRegistry.class);
			handlers.get("podHandler").stop();
			await().untilAsserted(() -> assertThat(metersOfHandlers(context)).isEmpty());
			assertThat(value(context, "kubernetes.informer.synced")).isEqualTo(1);
			handlers.get("podHandler").start();
			awaitValue(context, "kubernetes.informer.handler.synced", 1);
		});
	}

	@Test
	void informerThatComesLateAndGoesShouldGetAndLoseItsMeters() {
		this.runner.run((context) -> {
			Informers informers = context.getBean(Informers.class);
			InformerLease<V1ConfigMap> lease = informers
				.lease(InformerSpec.of(V1ConfigMap.class).withNamespaces("web").named("leased"));
			awaitValue(context, "kubernetes.informer.synced", 1, "informer", "leased");
			assertThat(registry(context).get("kubernetes.informer.synced").gauge().getId().getTag("resource"))
				.isEqualTo("configmaps");
			lease.close();
			await().untilAsserted(() -> assertThat(registry(context).getMeters())
				.extracting((meter) -> meter.getId().getTag("informer"))
				.doesNotContain("leased"));
		});
	}

	@Test
	void informerThatComesUnderTheIdOfOneThatGoesShouldKeepItsMeters() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		try (Informers first = Informers.builder(() -> {
			throw new AssertionError();
		}).build(); Informers second = Informers.builder(() -> {
			throw new AssertionError();
		}).build()) {
			RegistryInformerMeters meters = new RegistryInformerMeters(registry, ClusterTag.ABSENT, first);
			meters.informerAdded(first.informer(V1Pod.class));
			meters.informerAdded(second.informer(V1Pod.class));
			meters.informerRemoved(first.informer(V1Pod.class));
			assertThat(registry.find("kubernetes.informer.synced").gauges()).hasSize(1);
			meters.informerRemoved(second.informer(V1Pod.class));
			assertThat(registry.getMeters()).isEmpty();
		}
	}

	@Test
	void handlersOfAChildContextShouldHaveMetersAsLongAsItIsThere() {
		this.runner.withBean(NodeReader.class).run((context) -> {
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(context.getSourceApplicationContext());
				child.register(InformerHandlerConfiguration.class, PodHandler.class);
				child.refresh();
				await().untilAsserted(() -> assertThat(metersOfHandlers(context)).isNotEmpty()
					.allMatch((meter) -> meter.getId().getTag("handler").contains("podHandler")));
			}
			await().untilAsserted(() -> assertThat(metersOfHandlers(context)).isEmpty());
		});
	}

	@Test
	void noTagShouldTakeItsValueFromAnObject() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("canary-namespace", "canary-name"));
		this.runner.withBean(FailingHandler.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=0")
			.run((context) -> {
				awaitValue(context, "kubernetes.informer.handler.exhausted", 1);
				assertThat(registry(context).getMeters())
					.allSatisfy((meter) -> assertThat(meter.getId().toString()).doesNotContain("canary"));
				assertThat(ours(context).flatMap((meter) -> meter.getId().getTags().stream()).map(Tag::getKey))
					.isSubsetOf("informer", "handler", "resource", "event", "outcome", "reason");
			});
	}

	@Test
	void metersWhenInformersAreOffShouldBeAbsent() {
		this.runner.withPropertyValues("kubernetes.informers.enabled=false")
			.withBean(NodeReader.class)
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(InformerMetrics.class);
				assertThat(ours(context)).isEmpty();
			});
	}

	@Test
	void metersWhenUserDefinesThemShouldBackOff() {
		InformerMetrics own = new InformerMetrics(mock(ClusterRuntimes.class));
		this.runner.withBean(InformerMetrics.class, () -> own)
			.run((context) -> assertThat(context).getBean(InformerMetrics.class).isSameAs(own));
	}

	@Test
	void applicationWithoutARegistryOrMicrometerShouldRun() {
		InformerContextRunner.with(this.kubernetes)
			.withConfiguration(AutoConfigurations.of(InformerMetricsAutoConfiguration.class,
					InformerObservationAutoConfiguration.class))
			.withBean(PodHandler.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(InformerMetrics.class));
		InformerContextRunner.with(this.kubernetes)
			.withConfiguration(AutoConfigurations.of(InformerMetricsAutoConfiguration.class,
					InformerObservationAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.withBean(PodHandler.class)
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("informerMetrics");
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			});
	}

	private static MeterRegistry registry(ApplicationContext context) {
		return context.getBean(MeterRegistry.class);
	}

	private static Stream<Meter> ours(ApplicationContext context) {
		return registry(context).getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("kubernetes."));
	}

	private static List<Meter> metersOfHandlers(ApplicationContext context) {
		return ours(context).filter((meter) -> meter.getId().getTag("handler") != null).toList();
	}

	private static double value(ApplicationContext context, String name, String... tags) {
		return registry(context).get(name).tags(tags).meter().measure().iterator().next().getValue();
	}

	private static double sum(ApplicationContext context, String name) {
		return registry(context).get(name)
			.meters()
			.stream()
			.mapToDouble((meter) -> meter.measure().iterator().next().getValue())
			.sum();
	}

	private static void awaitValue(ApplicationContext context, String name, double expected, String... tags) {
		awaitValue(context, name, (value) -> value == expected, tags);
	}

	private static void awaitValue(ApplicationContext context, String name, DoublePredicate expected, String... tags) {
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(value(context, name, tags)).as(name).matches(expected::test));
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		@OnUpdate
		void changed(V1Pod pod) {
		}

	}

	@InformerHandler(id = "failingHandler")
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalStateException("canary " + pod);
		}

	}

	@InformerHandler(id = "blockingHandler")
	static class BlockingHandler {

		private final CountDownLatch release = new CountDownLatch(1);

		private final AtomicInteger calls = new AtomicInteger();

		@OnAdd
		@OnUpdate
		void changed(V1Pod pod) throws InterruptedException {
			this.calls.incrementAndGet();
			this.release.await();
		}

	}

	static class ShardReader {

		ShardReader(Informers informers) {
			informers.informer(InformerSpec.of(V1Pod.class).withShard(SHARD));
		}

	}

	static class SlotReader {

		SlotReader(Informers informers) {
			ManualShards slots = ManualShards.of(4);
			slots.gain(0, 1);
			informers.informer(InformerSpec.of(V1Pod.class).withShards(slots));
		}

	}

	static class MetadataShardReader {

		MetadataShardReader(Informers informers) {
			informers.informer(InformerSpec.metadata(V1Pod.class).withShard(SHARD));
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
			nodes.list();
		}

	}

}
