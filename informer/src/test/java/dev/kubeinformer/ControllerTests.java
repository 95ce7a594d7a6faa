package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.GiveUpException;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Reconcilers from the API server to the user's function and back.
 */
class ControllerTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private final WidgetWorld world = new WidgetWorld();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void objectsThatAreThereAndThatComeShouldBeReconciled() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.informers
			.controller(this.world.spec((widget, run) -> Result.done()));
		assertThat(container.status().state()).isEqualTo(ReconcilerState.NEW);
		container.start();
		assertThat(container.awaitSync(LONG)).isTrue();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.ACTIVE);
		assertThat(keys()).containsExactly(WidgetWorld.key("a"));
		assertThat(this.world.runs.get(0).lane()).isEqualTo(QueueLane.INITIAL);
		this.world.create("b");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactly(WidgetWorld.key("a"), WidgetWorld.key("b"));
		assertThat(this.world.runs.get(1).lane()).isEqualTo(QueueLane.LIVE);
		container.stop();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STOPPED);
		assertThat(this.world.informers.all()).isEmpty();
		await().until(() -> this.world.api.openWatches() == 0);
	}

	@Test
	void sourcesShouldBeFilledByOneListOfTheMostRecentState() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withOwned(V1ConfigMap.class));
		await().until(() -> this.world.runs.size() == 1);
		assertThat(container.hasSynced()).isTrue();
		List<RecordedRequest> lists = this.world.api.requests()
			.stream()
			.filter((request) -> request.method().equals("GET") && !request.isWatch())
			.toList();
		assertThat(lists).extracting(RecordedRequest::path)
			.containsExactlyInAnyOrder("/apis/example.com/v1/widgets", "/api/v1/configmaps");
		assertThat(lists).allSatisfy((list) -> assertThat(list.query()).doesNotContainKey("resourceVersion"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void largeSourceShouldBeReadAtOnceFromTheVersionOfItsFirstPage(boolean reached) throws InterruptedException {
		for (int i = 0; i < 501; i++) {
			this.world.configMaps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("web").name("c" + i)));
		}
		this.world.create("a");
		if (!reached) {
			this.world.api.faults()
				.on((request) -> Requests.list("configmaps").test(request)
						&& request.parameter("resourceVersion") != null)
				.status(504, "Timeout: Too large resource version: 45, current: 41");
		}
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		Informer<V1ConfigMap> children = this.world.informers.informer(InformerSpec.of(V1ConfigMap.class));
		assertThat(children.lister().list()).hasSize(501);
		List<String> lists = this.world.api.requests()
			.stream()
			.filter((request) -> request.isList() && request.path().endsWith("configmaps"))
			.map((request) -> "%s %s %s".formatted((request.parameter("resourceVersion") != null) ? "since" : "latest",
					request.parameter("limit"), request.parameter("continue") != null))
			.toList();
		List<String> pages = List.of("latest 500 false", "since null false", "latest 500 false", "latest 500 true");
		assertThat(lists).startsWith(pages.subList(0, reached ? 2 : 4).toArray(String[]::new));
	}

	@Test
	void idOfAClosedReconcilerShouldBeFree() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer first = this.world.start((widget, run) -> Result.done());
		assertThat(first.awaitIdle(LONG)).isTrue();
		first.close();
		assertThat(this.world.informers.reconcilers().all()).isEmpty();
		ReconcilerContainer second = this.world.start((widget, run) -> Result.done());
		assertThat(second.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(2);
		first.close();
		assertThat(this.world.informers.reconcilers().get("widgets")).isSameAs(second);
		assertThatIllegalArgumentException().isThrownBy(() -> this.world.informers.reconcilers().get("other"))
			.withMessage("No reconciler has the id 'other'; the reconcilers are [widgets]");
	}

	@Test
	void wrappedRefusalShouldMeanTheSame() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			if (run.attempt() == 1 && this.world.runs.isEmpty()) {
				throw new IllegalStateException(new ApiException(409, "conflict", null,
						"{\"kind\":\"Status\",\"code\":409,\"reason\":\"Conflict\"}"));
			}
			return Result.done();
		});
		assertThat(container.awaitIdle(LONG)).isTrue();
		await().untilAsserted(
				() -> assertThat(this.world.outcomes()).containsExactly(RunOutcome.CONFLICT, RunOutcome.DONE));
	}

	@Test
	void runShouldGetAPrivateCopyOfWhatTheCacheHolds() throws InterruptedException {
		List<Object> same = new CopyOnWriteArrayList<>();
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			widget.size(widget.size() + 41);
			same.add(widget == run.object());
			return Result.done();
		});
		assertThat(container.awaitIdle(LONG)).isTrue();
		container.trigger(WidgetWorld.key("a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(same).containsExactly(false, false);
		assertThat(this.world.get("a").size()).isEqualTo(1);
	}

	@Test
	void specChangeWithOneChildAndOneStatusWriteShouldComeToRestInTwoRuns() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = startParent();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSizeLessThanOrEqualTo(2);
		this.world.runs.clear();
		this.world.api.clearRequests();
		this.world.widgets.edit("web", "a", (widget) -> widget.size(3));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.get("a").ready()).isEqualTo(3);
		assertThat(this.world.configMaps.get("web", "a").getData()).containsEntry("size", "3");
		assertThat(this.world.runs).hasSizeLessThanOrEqualTo(2);
		assertThat(this.world.writes()).extracting(RecordedRequest::method).containsExactly("PATCH", "PATCH");
	}

	@Test
	void statusAloneShouldLeadToNoRunAndLabelsShould() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done());
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.widgets.edit("web", "a", (widget) -> widget.ready(7));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(1);
		this.world.widgets.edit("web", "a", (widget) -> widget.getMetadata().putLabelsItem("tier", "gold"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(2);
	}

	@Test
	void conditionShouldDecideOnUpdatesOnly() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withUpdateCondition((before, after) -> before.size() != after.size()));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(1);
		this.world.widgets.edit("web", "a", (widget) -> widget.getMetadata().putLabelsItem("tier", "gold"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(1);
		this.world.widgets.edit("web", "a", (widget) -> widget.size(2));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(2);
	}

	@Test
	void functionThatKeepsFailingShouldShowUntilItDoesNotFail() throws InterruptedException {
		AtomicBoolean broken = new AtomicBoolean();
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withRetry(new Retry(Duration.ofMillis(20), 1, Duration.ofMillis(20), 0))
					.withUpdateCondition((before, after) -> {
						failIf(broken);
						return true;
					})
					.withWatched(WatchedResource.of(V1Secret.class, (secret) -> {
						failIf(broken);
						return Stream.of(WidgetWorld.key("a"));
					})));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().failingFunctions()).isEmpty();
		broken.set(true);
		this.world.widgets.edit("web", "a", (widget) -> widget.size(2));
		ApiResources<V1Secret> secrets = this.world.api.resources(V1Secret.class);
		secrets.create(new V1Secret().metadata(new V1ObjectMeta().namespace("web").name("s1")));
		secrets.create(new V1Secret().metadata(new V1ObjectMeta().namespace("web").name("s2")));
		await()
			.until(() -> container.status().failingFunctions().stream().mapToInt(FailingFunction::objects).sum() == 3);
		assertThat(container.status().failingFunctions())
			.allSatisfy(
					(each) -> assertThat(each.exceptionClass()).isEqualTo("java.lang.UnsupportedOperationException"))
			.extracting(FailingFunction::kind, FailingFunction::resource)
			.containsExactly(tuple(FailingFunction.Kind.CONDITION, "widgets.example.com"),
					tuple(FailingFunction.Kind.MAPPER, "secrets"));
		assertThat(container.status().queue().failingKeys()).isZero();
		broken.set(false);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().failingFunctions()).isEmpty();
	}

	private static void failIf(AtomicBoolean broken) {
		if (broken.get()) {
			throw new UnsupportedOperationException("s3cret");
		}
	}

	@Test
	void changedChildShouldLeadToARunOfItsOwner() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		ReconcilerContainer container = startParent();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.runs.clear();
		this.world.configMaps.delete("web", "a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "a")).isNotNull();
		assertThat(keys()).containsOnly(WidgetWorld.key("a"));
	}

	@Test
	void watchedObjectShouldLeadToRunsOfWhatItIsMappedToBeforeAndAfter() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		AtomicInteger failures = new AtomicInteger(2);
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withRetry(new Retry(Duration.ofMillis(20), 1, Duration.ofMillis(20), 0))
					.withWatched(WatchedResource.of(V1Secret.class, (secret) -> {
						if (failures.getAndDecrement() > 0) {
							throw new IllegalStateException("not now");
						}
						return Stream.of(WidgetWorld.key(secret.getMetadata().getLabels().get("widget")));
					})));
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.runs.clear();
		V1ObjectMeta metadata = new V1ObjectMeta().namespace("web").name("s").putLabelsItem("widget", "a");
		this.world.api.resources(V1Secret.class).create(new V1Secret().metadata(metadata));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactly(WidgetWorld.key("a"));
		this.world.api.resources(V1Secret.class)
			.edit("web", "s", (secret) -> secret.getMetadata().putLabelsItem("widget", "b"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactlyInAnyOrder(WidgetWorld.key("a"), WidgetWorld.key("a"), WidgetWorld.key("b"));
	}

	@Test
	void failedRunShouldBeTriedAgainUntilItSucceedsAndGivenUpOneNot() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			if (run.key().name().equals("b")) {
				throw new GiveUpException("no size fits");
			}
			if (run.attempt() < 3) {
				throw new AssertionError("attempt " + run.attempt());
			}
			return Result.done();
		}, (spec) -> spec.withRetry(new Retry(Duration.ofMillis(20), 1, Duration.ofMillis(20), 0)));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs.stream().filter((run) -> run.key().name().equals("a")))
			.extracting(ReconcileRun::outcome)
			.containsExactly(RunOutcome.ERROR, RunOutcome.ERROR, RunOutcome.DONE);
		assertThat(this.world.runs.stream().filter((run) -> run.key().name().equals("b")))
			.extracting(ReconcileRun::outcome)
			.containsExactly(RunOutcome.GAVE_UP);
		this.world.widgets.edit("web", "b", (widget) -> widget.size(2));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.outcomes()).filteredOn((outcome) -> outcome == RunOutcome.GAVE_UP).hasSize(2);
		assertThat(container.status().runs().lastError()).contains("GiveUpException").doesNotContain("size");
	}

	@Test
	void pausedReconcilerShouldQueueAndRunWhenItIsResumed() throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done());
		assertThat(container.awaitIdle(LONG)).isTrue();
		container.pause();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.PAUSED);
		this.world.create("a");
		await().until(() -> container.status().queue().ready().getOrDefault(QueueLane.LIVE, 0) == 1);
		assertThat(container.awaitIdle(Duration.ofMillis(50))).isFalse();
		assertThat(this.world.runs).isEmpty();
		container.resume();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(1);
		container.triggerAll();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(2);
	}

	@Test
	void reconcilerThatIsNotStartedShouldRefuseWhatNeedsIt() {
		ReconcilerContainer container = this.world.informers
			.controller(this.world.spec((widget, run) -> Result.done()));
		assertThatIllegalStateException().isThrownBy(container::pause).withMessageContaining("'widgets'");
		assertThatIllegalStateException().isThrownBy(() -> container.trigger(WidgetWorld.key("a")));
	}

	@Test
	void informersThatStopAndStartShouldTakeTheReconcilerWithThem() throws InterruptedException {
		this.world.informers.start();
		this.world.create("a");
		ReconcilerContainer container = startParent();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.informers.stop();
		await().until(() -> container.status().state() == ReconcilerState.SYNCING);
		this.world.create("b");
		this.world.informers.start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "b")).isNotNull();
		container.stop();
		container.start();
		this.world.create("c");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "c")).isNotNull();
	}

	@Test
	void healthyKeysAtRestShouldCostNoRequest() throws InterruptedException {
		for (int i = 0; i < 20; i++) {
			this.world.create("w" + i);
		}
		ReconcilerContainer container = startParent();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.clearRequests();
		container.triggerAll();
		await().until(() -> container.status().runs().total() >= 40 && container.status().runs().active() == 0);
		assertThat(this.world.api.requests()).isEmpty();
	}

	@Test
	void keyWhoseOwnWritesCauseItsRunsShouldBeReportedOnce() {
		this.world.create("a");
		AtomicInteger counter = new AtomicInteger();
		this.world.start((widget, run) -> {
			V1ConfigMap child = WidgetWorld.child(widget)
				.data(Map.of("now", Integer.toString(counter.incrementAndGet())));
			run.apply(child);
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		await().until(() -> counter.get() > 35);
		assertThat(this.world.loops).hasSize(1);
		assertThat(this.world.loops.get(0)).startsWith("web/a configmaps data").doesNotContain("size");
	}

	@Test
	void reconcilersThatWakeEachOtherShouldBeSlowedDown() {
		this.world.create("a");
		AtomicInteger sizes = new AtomicInteger();
		ReconcilerContainer parents = this.world.start((widget, run) -> {
			// Each undoes what the other one does.
			run.apply(WidgetWorld.child(widget).data(Map.of("turn", "parent" + sizes.incrementAndGet())));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		ReconcilerContainer children = this.world.informers
			.controller(ReconcilerSpec.of("maps", V1ConfigMap.class, (map, run) -> {
				if (map.getData().get("turn").startsWith("parent")) {
					run.patch(map, PatchFormat.MERGE, "{\"data\":{\"turn\":\"child\"}}");
				}
				return Result.done();
			}));
		children.start();
		await().until(() -> parents.status().queue().slowedKeys() == 1);
		long total = parents.status().runs().total();
		long slowed = System.nanoTime();
		await().until(() -> parents.status().runs().total() >= total + 2);
		assertThat(System.nanoTime() - slowed).isGreaterThan(Duration.ofMillis(900).toNanos());
		assertThat(total).isLessThan(1000);
	}

	@Test
	@Tag("slow")
	void specThatOthersChangeShouldBeReconciledAtOnceAlsoInALoop() {
		this.world.create("a");
		AtomicInteger counter = new AtomicInteger();
		AtomicInteger size = new AtomicInteger();
		ReconcilerContainer container = this.world.start((widget, run) -> {
			size.set(widget.size());
			run.apply(WidgetWorld.child(widget).data(Map.of("now", Integer.toString(counter.incrementAndGet()))));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		await().until(() -> container.status().queue().slowedKeys() == 1);
		int before = counter.get();
		// Runs after 1, 3, 7 and 15 seconds: the next one is ten seconds away.
		await().until(() -> counter.get() == before + 4);
		this.world.widgets.edit("web", "a", (widget) -> widget.size(7));
		await().atMost(Duration.ofSeconds(8)).until(() -> size.get() == 7);
	}

	@Test
	void secondReconcilerOfAnIdShouldBeRefusedByName() {
		this.world.informers.controller(this.world.spec((widget, run) -> Result.done()));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.world.informers.controller(this.world.spec((widget, run) -> Result.done())))
			.withMessageContaining("'widgets'");
	}

	@Test
	void runShouldNotWaitForItsOwnReconciler() throws InterruptedException {
		List<Throwable> thrown = new CopyOnWriteArrayList<>();
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			try {
				this.world.informers.reconcilers().awaitIdle(LONG);
			}
			catch (IllegalStateException ex) {
				thrown.add(ex);
			}
			this.world.informers.reconcilers().get("widgets").stop();
			return Result.done();
		});
		await().until(() -> container.status().state() == ReconcilerState.STOPPED);
		assertThat(thrown).hasSize(1);
	}

	private ReconcilerContainer startParent() {
		return this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			run.status((now) -> now.ready(widget.size()));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
	}

	private List<ObjectKey> keys() {
		return this.world.runs.stream().map(ReconcileRun::key).toList();
	}

}
