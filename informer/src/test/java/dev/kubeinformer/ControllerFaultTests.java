package dev.kubeinformer;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reconcilers while caches lag behind, servers refuse and runs hang.
 */
class ControllerFaultTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private final WidgetWorld world = new WidgetWorld();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void runShouldSeeWhatTheRunsBeforeItWrote() throws InterruptedException {
		Map<String, Integer> created = new ConcurrentHashMap<>();
		AtomicInteger stale = new AtomicInteger();
		ReconcilerContainer container = this.world.start((widget, run) -> {
			String name = run.key().name();
			int seen = run.owned(V1ConfigMap.class).list().size();
			if (seen < created.getOrDefault(name, 0)) {
				stale.incrementAndGet();
			}
			if (seen < widget.size()) {
				// Each time under another name: a stale cache would make too many.
				run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName(name + "-")));
				created.merge(name, 1, Integer::sum);
				return Result.requeueAfter(Duration.ofMillis(1));
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withConcurrency(2));
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.faults().watchLag(Duration.ofMillis(200));
		for (int i = 0; i < 10; i++) {
			this.world.widgets.create(Widget.of("web", "w" + i, 3));
		}
		await().until(() -> this.world.configMaps.list("web").size() >= 30);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(stale).hasValue(0);
		assertThat(this.world.configMaps.list("web")).hasSize(30);
		assertThat(container.status().runs().ownWriteTimeouts()).isZero();
	}

	@Test
	void writesThatAreNeverSeenShouldHoldAKeyForATimeOnly() throws InterruptedException {
		CountDownLatch second = new CountDownLatch(2);
		this.world.configMaps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("web").name("a")));
		// Whether the selector hides what a run has written, only the watch says.
		WatchedResource<V1ConfigMap> watched = new WatchedResource<>(ResourceType.of(V1ConfigMap.class), Set.of(), null,
				"metadata.name!=x", (any) -> Stream.empty());
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			second.countDown();
			return Result.done();
		}, (spec) -> spec.withWatched(watched).withOwnWritesTimeout(Duration.ofMillis(200)));
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.faults().watchLag(Requests.watch("configmaps"), Duration.ofHours(1));
		this.world.create("a");
		await().until(() -> second.getCount() == 1);
		container.trigger(WidgetWorld.key("a"));
		assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(container.status().runs().ownWriteTimeouts()).isEqualTo(1);
	}

	@Test
	void lateCacheShouldMakeNoSecondChildAfterARestart() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = startNamer();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("web").name("x")));
		this.world.restartProcess();
		// A list that any state will do for comes from a server that knows no child yet.
		Fault old = this.world.api.faults()
			.on((request) -> Requests.list("configmaps").test(request)
					&& "0".equals(request.parameter("resourceVersion")))
			.asOf("1");
		ReconcilerContainer next = startNamer();
		assertThat(next.awaitIdle(LONG)).isTrue();
		assertThat(old.hits()).isZero();
		assertThat(this.world.configMaps.list("web")).hasSize(2);
	}

	private ReconcilerContainer startNamer() {
		return this.world.start((widget, run) -> {
			if (run.owned(V1ConfigMap.class).list().isEmpty()) {
				run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName("child-")));
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
	}

	@Test
	void forbiddenSourceShouldDelayItsReconcilerOnlyAndShowInItsStatus() throws InterruptedException {
		Fault forbidden = this.world.api.faults().on(Requests.list("configmaps")).forbid();
		this.world.create("a");
		ReconcilerContainer delayed = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withOwned(V1ConfigMap.class));
		ReconcilerContainer other = this.world.informers
			.controller(ReconcilerSpec.of("other", Widget.class, (widget, run) -> Result.done()));
		other.start();
		assertThat(other.awaitIdle(LONG)).isTrue();
		assertThat(other.status().runs().total()).isEqualTo(1);
		await().until(() -> delayed.status().sources().get(1).state() == InformerState.FORBIDDEN);
		assertThat(delayed.status().state()).isEqualTo(ReconcilerState.SYNCING);
		assertThat(delayed.hasSynced()).isFalse();
		assertThat(delayed.awaitSync(Duration.ofMillis(1))).isFalse();
		ReconcilerSource source = delayed.status().sources().get(1);
		assertThat(source.role()).isEqualTo(ReconcilerSource.Role.OWNED);
		assertThat(source.requiredRbac()).contains("configmaps");
		assertThat(this.world.runs).isEmpty();
		forbidden.remove();
		assertThat(delayed.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(1);
	}

	@Test
	void runThatHangsInARequestShouldBeCancelledAtItsTimeout() throws InterruptedException {
		Fault silent = this.world.api.faults().on(Requests.patch("configmaps")).freeze();
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withTimeout(Duration.ofMillis(200)));
		await().until(() -> this.world.outcomes().contains(RunOutcome.TIMEOUT));
		silent.remove();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "a")).isNotNull();
	}

	@Test
	void stopShouldInterruptARunThatDoesNotEnd() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			begun.countDown();
			new CountDownLatch(1).await();
			return Result.done();
		}, (spec) -> spec.withDrainTimeout(Duration.ofMillis(50)));
		assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
		container.stop();
		assertThat(container.isRunning()).isFalse();
		assertThat(container.status().runs().active()).isZero();
	}

	@Test
	void conflictShouldBeTriedAgainSoonAndNotCountAsFailure() throws InterruptedException {
		Fault conflict = this.world.api.faults()
			.on(Requests.patch("configmaps"))
			.times(2)
			.body(409, "application/json",
					"{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Conflict\",\"code\":409}");
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(conflict.hits()).isEqualTo(2);
		assertThat(this.world.runs).extracting(ReconcileRun::outcome)
			.startsWith(RunOutcome.CONFLICT, RunOutcome.CONFLICT, RunOutcome.DONE);
		assertThat(container.status().runs().failed()).isZero();
		assertThat(container.status().runs().conflicts()).isEqualTo(2);
	}

	@Test
	void serverThatAsksToWaitShouldBeWaitedFor() throws InterruptedException {
		Fault busy = this.world.api.faults()
			.on(Requests.patch("configmaps"))
			.times(1)
			.retryAfter(Duration.ofSeconds(1))
			.status(429);
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class)
			.withRetry(new ReconcilerSpec.Retry(Duration.ofMillis(10), 1, Duration.ofSeconds(1), 0)));
		long before = System.nanoTime();
		await().until(() -> this.world.configMaps.get("web", "a") != null);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(500));
		assertThat(busy.hits()).isEqualTo(1);
		assertThat(container.awaitIdle(LONG)).isTrue();
	}

	@Test
	void serverThatAsksToWaitForDecadesShouldBeWaitedForAsLongAsTheLongestDelay() throws InterruptedException {
		Fault decades = busyForDecades();
		this.world.create("a");
		ReconcilerContainer container = startApplying(Duration.ofMillis(200));
		await().until(() -> this.world.configMaps.get("web", "a") != null);
		assertThat(decades.hits()).isEqualTo(2);
		assertThat(container.awaitIdle(LONG)).isTrue();
	}

	@Test
	void serverThatAsksToWaitForDecadesShouldHoldNoEvent() {
		Fault decades = busyForDecades();
		this.world.create("a");
		startApplying(Duration.ofHours(1));
		await().until(() -> decades.hits() == 1);
		edit("once");
		await().until(() -> decades.hits() == 2);
		edit("twice");
		await().until(() -> this.world.configMaps.get("web", "a") != null);
	}

	private Fault busyForDecades() {
		return this.world.api.faults()
			.on(Requests.patch("configmaps"))
			.times(2)
			.retryAfter(Duration.ofSeconds(2_000_000_000))
			.status(429);
	}

	private ReconcilerContainer startApplying(Duration longestDelay) {
		return this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class)
			.withRetry(new ReconcilerSpec.Retry(Duration.ofMillis(10), 1, longestDelay, 0)));
	}

	private void edit(String label) {
		this.world.widgets.edit("web", "a", (widget) -> widget.getMetadata().putLabelsItem("edited", label));
	}

}
