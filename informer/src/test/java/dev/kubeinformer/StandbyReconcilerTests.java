package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ObjectKey;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Reconcilers on a replica that does not lead, and when it does.
 */
class StandbyReconcilerTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private final WidgetWorld world = new WidgetWorld();

	private final ScriptedLeadership leadership = new ScriptedLeadership();

	@AfterEach
	void stop() {
		this.world.close();
	}

	private ReconcilerContainer start(ReconcileFunction<Widget> function) {
		return start(function, (spec) -> spec);
	}

	private ReconcilerContainer start(ReconcileFunction<Widget> function,
			UnaryOperator<ReconcilerSpec<Widget>> settings) {
		return this.world.start(function, (spec) -> settings.apply(spec.withLeadership(this.leadership)));
	}

	private ReconcilerContainer startApplying() {
		return start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
	}

	private static void awaitState(ReconcilerContainer container, ReconcilerState state) {
		await().untilAsserted(() -> assertThat(container.status().state()).isEqualTo(state));
	}

	private List<ObjectKey> keys() {
		return this.world.runs.stream().map(ReconcileRun::key).toList();
	}

	private ReconcilerContainer startCounting() {
		return start((widget, run) -> Result.done());
	}

	@Test
	void standbyShouldFillItsCachesAndDoNothingElse() throws InterruptedException {
		this.world.create("a");
		Set<String> mapped = ConcurrentHashMap.newKeySet();
		ReconcilerContainer container = start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withWatched(WatchedResource.of(V1Secret.class, (secret) -> {
			mapped.add(secret.getMetadata().getName());
			return Stream.of(WidgetWorld.key("a"));
		})));
		assertThat(container.awaitSync(LONG)).isTrue();
		assertThat(container.hasSynced()).isTrue();
		assertThat(container.isRunning()).isTrue();
		this.world.create("b");
		this.world.api.resources(V1Secret.class)
			.create(new V1Secret().metadata(new V1ObjectMeta().namespace("web").name("s")));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STANDBY);
		assertThat(container.status().synced()).isTrue();
		assertThat(container.status().sources()).hasSize(3)
			.allSatisfy((source) -> assertThat(source.state()).isEqualTo(InformerState.LIVE));
		assertThat(container.status().queue().ready().values()).containsOnly(0);
		assertThat(this.world.informers.lister(Widget.class).list()).hasSize(2);
		assertThat(mapped).isEmpty();
		assertThat(this.world.runs).isEmpty();
		assertThat(this.world.writes()).isEmpty();
	}

	@Test
	void grantShouldBeginWithAllKeysWithoutAnotherList() throws InterruptedException {
		ReconcilerContainer container = startApplying();
		assertThat(container.awaitSync(LONG)).isTrue();
		this.world.create("a");
		this.world.create("b");
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.awaitWatches(2);
		this.world.api.clearRequests();
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.ACTIVE);
		// The children that were made lead to further ones.
		assertThat(this.world.runs).filteredOn((run) -> run.lane() == QueueLane.INITIAL)
			.extracting(ReconcileRun::key)
			.containsExactlyInAnyOrder(WidgetWorld.key("a"), WidgetWorld.key("b"));
		assertThat(this.world.configMaps.list("web")).hasSize(2);
		assertThat(this.world.api.requests()).noneMatch(RecordedRequest::isWatch);
	}

	@Test
	void cachesShouldBeComparedWithTheServerAfterTheGrant() throws InterruptedException {
		this.world.create("a");
		AtomicInteger seen = new AtomicInteger(-1);
		ReconcilerContainer container = start((widget, run) -> {
			seen.set(run.owned(V1ConfigMap.class).list().size());
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		// The last write of the previous leader, which a lagging cache does not show.
		this.world.api.faults().watchLag(Requests.watch("configmaps"), Duration.ofMillis(500));
		V1ConfigMap child = WidgetWorld.child(this.world.get("a"));
		child.getMetadata().namespace("web").addOwnerReferencesItem(this.world.ownerReference("a"));
		this.world.configMaps.create(child);
		this.world.api.clearRequests();
		this.leadership.grant();
		await().until(() -> seen.get() >= 0);
		assertThat(seen).hasValue(1);
		assertThat(this.world.api.requests()).anyMatch(EngineTestSupport::isProbe);
	}

	@Test
	void deletionsWhileAnotherOneLedShouldLeadToNoRun() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		ReconcilerContainer container = startCounting();
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.leadership.lose();
		awaitState(container, ReconcilerState.STANDBY);
		this.world.runs.clear();
		this.world.delete("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactly(WidgetWorld.key("b"));
	}

	@Test
	void figuresShouldBeKeptAcrossTermsAndKeysNot() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			throw new IllegalStateException("as the test wants it");
		}, (spec) -> spec.withRetry(new ReconcilerSpec.Retry(Duration.ofHours(1), 1, Duration.ofHours(1), 0)));
		this.leadership.grant();
		await().until(() -> container.status().failing().size() == 1);
		this.leadership.lose();
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(container.status().failing()).isEmpty();
		assertThat(container.status().queue().delayed()).isZero();
		assertThat(container.status().runs().failed()).isEqualTo(1);
		this.leadership.grant();
		await().until(() -> container.status().runs().failed() == 2);
		assertThat(this.world.runs).extracting(ReconcileRun::attempt).containsExactly(1, 1);
	}

	@Test
	void standbyShouldNotTakeTriggersAndNameTheLeader() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = startCounting();
		assertThat(container.awaitSync(LONG)).isTrue();
		assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> container.trigger(WidgetWorld.key("a")))
			.withMessageContaining("'widgets'")
			.withMessageContaining("'other-pod'");
		assertThatExceptionOfType(NotLeaderException.class).isThrownBy(container::triggerAll);
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		container.trigger(WidgetWorld.key("a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).hasSize(2);
		container.stop();
		assertThatIllegalStateException().isThrownBy(() -> container.trigger(WidgetWorld.key("a")))
			.withMessageContaining("not started");
	}

	@Test
	void pauseOfAStandbyShouldHoldWhenItLeads() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = startCounting();
		container.pause();
		assertThat(container.awaitSync(LONG)).isTrue();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STANDBY);
		this.leadership.grant();
		awaitState(container, ReconcilerState.PAUSED);
		await().untilAsserted(() -> assertThat(container.status().queue().ready()).containsEntry(QueueLane.INITIAL, 1));
		this.leadership.lose();
		awaitState(container, ReconcilerState.STANDBY);
		container.resume();
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactly(WidgetWorld.key("a"));
		assertThat(container.status().state()).isEqualTo(ReconcilerState.ACTIVE);
	}

	@Test
	void sourcesThatAreBeingFilledShouldBeAwaited() throws InterruptedException {
		Fault slow = this.world.api.faults().on(Requests.list("configmaps")).freeze();
		ReconcilerContainer container = startApplying();
		await().untilAsserted(() -> assertThat(this.leadership.awaiting()).containsExactly("configmaps"));
		assertThat(container.hasSynced()).isFalse();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STANDBY);
		slow.remove();
		assertThat(container.awaitSync(LONG)).isTrue();
		assertThat(this.leadership.awaiting()).isEmpty();
	}

	@Test
	void sourcesThatAreDeniedOrNotServedShouldNotBeAwaited() {
		this.world.api.faults().on(Requests.list("configmaps")).forbid();
		this.world.api.faults().on(Requests.list("secrets")).status(404);
		ReconcilerContainer container = start((widget, run) -> Result.done(),
				(spec) -> spec.withOwned(V1ConfigMap.class).withOwned(V1Secret.class));
		await().untilAsserted(() -> assertThat(container.status().sources()).extracting((source) -> source.state())
			.containsExactly(InformerState.LIVE, InformerState.FORBIDDEN, InformerState.NOT_FOUND));
		assertThat(this.leadership.awaiting()).isEmpty();
		assertThat(container.hasSynced()).isFalse();
		this.leadership.grant();
		awaitState(container, ReconcilerState.SYNCING);
	}

	@Test
	void startWhileThisProcessLeadsShouldBeginTheTerm() throws InterruptedException {
		this.world.create("a");
		this.leadership.grant();
		ReconcilerContainer container = startCounting();
		assertThat(container.awaitSync(LONG)).isTrue();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactly(WidgetWorld.key("a"));
		assertThat(container.status().state()).isEqualTo(ReconcilerState.ACTIVE);
	}

	@Test
	void stopShouldEndThePartInTheLeadership() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = startCounting();
		assertThat(container.awaitSync(LONG)).isTrue();
		assertThat(this.leadership.works).hasSize(1);
		container.stop();
		assertThat(this.leadership.works).isEmpty();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STOPPED);
		assertThat(container.hasSynced()).isFalse();
		assertThat(this.world.informers.all()).isEmpty();
		await().until(() -> this.world.api.openWatches() == 0);
		this.leadership.grant();
		container.start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		container.stop();
		assertThat(this.leadership.works).isEmpty();
		container.start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactly(WidgetWorld.key("a"), WidgetWorld.key("a"));
		container.close();
	}

	@Test
	void cachesShouldStayWhenATermIsLost() throws InterruptedException {
		ReconcilerContainer container = startApplying();
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.awaitWatches(2);
		this.world.api.clearRequests();
		for (int i = 0; i < 3; i++) {
			this.leadership.lose();
			awaitState(container, ReconcilerState.STANDBY);
			assertThat(container.hasSynced()).isTrue();
			this.leadership.grant();
			awaitState(container, ReconcilerState.ACTIVE);
		}
		this.leadership.lose();
		this.world.create("late");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.informers.lister(Widget.class).list()).hasSize(1);
		assertThat(this.world.runs).isEmpty();
		assertThat(this.world.api.requests()).noneMatch(RecordedRequest::isWatch);
	}

	@Test
	void reconcilerOfALeadershipThatAlwaysHoldsShouldRunAsWithoutOne() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withLeadership(LeaderElector.always()));
		await().until(() -> container.status().state() == ReconcilerState.ACTIVE);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(keys()).containsExactly(WidgetWorld.key("a"));
		container.stop();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STOPPED);
	}

}
