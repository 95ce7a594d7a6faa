package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reconcilers while a watch is held back: runs go on, and see what they have written.
 */
class HeldWatchTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private static final Duration HELD = Duration.ofHours(1);

	private static final int OBJECTS = 10;

	private final WidgetWorld world = new WidgetWorld();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void changedPrimariesShouldBeRightAtOnce() throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		createAll();
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		// Each of them writes a second time before the first write is seen.
		for (int size = 2; size <= 3; size++) {
			int next = size;
			editAll(next);
			await().untilAsserted(() -> assertThat(sizes()).hasSize(OBJECTS).containsOnly(String.valueOf(next)));
		}
		editAll(2);
		await().untilAsserted(() -> assertThat(sizes()).containsOnly("2"));
		assertThat(container.status().queue().parked()).isZero();
		held.remove();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(sizes()).hasSize(OBJECTS).containsOnly("2");
		assertThat(this.world.outcomes()).containsOnly(RunOutcome.DONE);
		assertThat(container.status().runs().ownWriteTimeouts()).isZero();
	}

	@Test
	void createdChildShouldHaveNoSecond() throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> {
			if (run.owned(V1ConfigMap.class).list().size() < widget.size()) {
				run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName("child-")));
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		createAll();
		awaitRuns(1);
		triggerAll(container);
		awaitRuns(2);
		assertThat(this.world.configMaps.list("web")).hasSize(OBJECTS);
		editAll(2);
		awaitRuns(3);
		triggerAll(container);
		awaitRuns(4);
		assertThat(this.world.configMaps.list("web")).hasSize(2 * OBJECTS);
		held.remove();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.list("web")).hasSize(2 * OBJECTS);
		assertThat(this.world.outcomes()).containsOnly(RunOutcome.DONE);
		assertThat(deletions()).isZero();
	}

	@Test
	void deletedChildShouldBeGoneAtOnce() throws InterruptedException {
		AtomicBoolean wanted = new AtomicBoolean(true);
		ReconcilerContainer container = this.world.start((widget, run) -> {
			List<V1ConfigMap> children = run.owned(V1ConfigMap.class).list();
			if (wanted.get() && children.isEmpty()) {
				run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName("child-")));
			}
			else if (!wanted.get()) {
				for (V1ConfigMap child : children) {
					run.delete(child);
				}
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		createAll();
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		this.world.runs.clear();
		wanted.set(false);
		triggerAll(container);
		awaitRuns(1);
		triggerAll(container);
		awaitRuns(2);
		assertThat(this.world.configMaps.list("web")).isEmpty();
		assertThat(deletions()).isEqualTo(OBJECTS);
		// A child that came and went while nothing was seen.
		wanted.set(true);
		triggerAll(container);
		awaitRuns(3);
		wanted.set(false);
		triggerAll(container);
		awaitRuns(4);
		triggerAll(container);
		awaitRuns(5);
		assertThat(deletions()).isEqualTo(2 * OBJECTS);
		held.remove();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.list("web")).isEmpty();
		assertThat(deletions()).isEqualTo(2 * OBJECTS);
		assertThat(this.world.outcomes()).containsOnly(RunOutcome.DONE);
	}

	@Test
	void childWithAFinalizerShouldShowThatItIsBeingDeleted() throws InterruptedException {
		AtomicInteger seen = new AtomicInteger();
		ReconcilerContainer container = this.world.start((widget, run) -> {
			for (V1ConfigMap child : run.owned(V1ConfigMap.class).list()) {
				if (child.getMetadata().getDeletionTimestamp() == null) {
					run.delete(child);
				}
				else {
					seen.incrementAndGet();
				}
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		this.world.create("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.configMaps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("web")
			.name("child")
			.finalizers(List.of("example.com/kept"))
			.ownerReferences(List.of(this.world.ownerReference("a")))));
		await().until(() -> seen.get() > 0);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(deletions()).isEqualTo(1);
		assertThat(this.world.outcomes()).containsOnly(RunOutcome.DONE);
	}

	@Test
	void statusShouldBeThatOfTheRunBefore() throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.status((changed) -> changed.ready(changed.ready() + 1));
			return Result.done();
		});
		createAll();
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("widgets"), HELD);
		for (int i = 2; i <= 4; i++) {
			int ready = i;
			triggerAll(container);
			await().untilAsserted(() -> assertThat(this.world.widgets.list("web"))
				.allSatisfy((widget) -> assertThat(widget.ready()).isEqualTo(ready)));
		}
		held.remove();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.widgets.list("web")).allSatisfy((widget) -> assertThat(widget.ready()).isEqualTo(4));
		assertThat(this.world.outcomes()).containsOnly(RunOutcome.DONE).hasSize(4 * OBJECTS);
	}

	@Test
	void finalizerShouldBeFollowedByTheRunAtOnce() throws InterruptedException {
		String finalizer = "example.com/widgets";
		createAll();
		Fault held = this.world.api.faults().watchLag(Requests.watch("widgets"), HELD);
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.status((changed) -> changed.ready(1));
			return Result.done();
		}, (spec) -> spec.withCleanup(finalizer, (widget, run) -> Result.done()));
		awaitRuns(1);
		assertThat(this.world.widgets.list("web")).allSatisfy((widget) -> {
			assertThat(widget.getMetadata().getFinalizers()).containsExactly(finalizer);
			assertThat(widget.ready()).isEqualTo(1);
		});
		IntStream.range(0, OBJECTS).forEach((i) -> this.world.delete("w" + i));
		held.remove();
		await().until(() -> this.world.widgets.list("web").isEmpty());
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.outcomes()).containsOnly(RunOutcome.DONE);
	}

	@Test
	void changeOfAnotherOneThatCameBetweenShouldBeRepaired() throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		createAll();
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		editAll(2);
		await().untilAsserted(() -> assertThat(sizes()).containsOnly("2"));
		IntStream.range(0, OBJECTS)
			.forEach((i) -> this.world.configMaps.edit("web", "w" + i, (child) -> child.setData(Map.of("size", "7"))));
		triggerAll(container);
		held.remove();
		await().untilAsserted(() -> assertThat(sizes()).containsOnly("2"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(sizes()).hasSize(OBJECTS).containsOnly("2");
	}

	@Test
	void writeThatARunHasSeenShouldLeadToNoFurtherOne() throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> {
			for (int i = 0; i < 3; i++) {
				V1ConfigMap child = WidgetWorld.child(widget);
				child.getMetadata().setName(widget.getMetadata().getName() + "-" + i);
				run.apply(child);
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		this.world.create("a");
		await().until(() -> this.world.runs.size() == 1);
		container.trigger(WidgetWorld.key("a"));
		await().until(() -> this.world.runs.size() == 2);
		held.remove();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).hasSize(2);
		assertThat(this.world.writes()).filteredOn((request) -> request.path().contains("configmaps")).hasSize(3);
		// A change that no run has seen leads to a run, even if this application made it.
		this.world.widgets.edit("web", "a", (widget) -> widget.size(2));
		await().until(() -> this.world.runs.size() >= 4);
		assertThat(container.awaitIdle(LONG)).isTrue();
	}

	@Test
	void writeThatNoRunHasReadShouldLeadToOne() throws InterruptedException {
		AtomicInteger begun = new AtomicInteger();
		// From the second run on, it could read the cache alone, by a lister.
		ReconcilerContainer container = this.world.start((widget, run) -> {
			if (begun.getAndIncrement() == 0) {
				run.apply(WidgetWorld.child(widget));
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		this.world.create("a");
		await().until(() -> this.world.runs.size() == 1);
		container.trigger(WidgetWorld.key("a"));
		await().until(() -> this.world.runs.size() == 2);
		held.remove();
		await().until(() -> this.world.runs.size() == 3);
	}

	@Test
	void watchThatLagsShouldShow() throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withOwnWritesTimeout(Duration.ofMillis(100)));
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		createAll();
		await().until(() -> container.status().queue().waiting() == OBJECTS);
		// However long it lasts, no run sees an older state.
		triggerAll(container);
		awaitRuns(2);
		assertThat(this.world.writes()).filteredOn((request) -> request.path().contains("configmaps")).hasSize(OBJECTS);
		assertThat(container.status().runs().ownWriteTimeouts()).isZero();
		held.remove();
		await().until(() -> container.status().queue().waiting() == 0);
	}

	@Test
	void restartShouldForgetWhatLay() throws InterruptedException {
		Map<String, Integer> seen = new ConcurrentHashMap<>();
		ReconcilerContainer container = this.world.start((widget, run) -> {
			seen.put(run.key().name(), run.owned(V1ConfigMap.class).list().size());
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withOwnWritesTimeout(Duration.ofMillis(100)));
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault held = this.world.api.faults().watchLag(Requests.watch("configmaps"), HELD);
		this.world.create("a");
		await().until(() -> seen.containsKey("a"));
		await().until(() -> container.status().queue().waiting() == 1);
		container.stop();
		assertThat(container.status().queue().waiting()).isZero();
		held.remove();
		container.start();
		await().until(() -> seen.get("a") == 1);
		assertThat(container.awaitIdle(LONG)).isTrue();
	}

	private void createAll() {
		IntStream.range(0, OBJECTS).forEach((i) -> this.world.create("w" + i));
	}

	private void editAll(int size) {
		IntStream.range(0, OBJECTS)
			.forEach((i) -> this.world.widgets.edit("web", "w" + i, (widget) -> widget.size(size)));
	}

	private void triggerAll(ReconcilerContainer container) {
		IntStream.range(0, OBJECTS).forEach((i) -> container.trigger(WidgetWorld.key("w" + i)));
	}

	private void awaitRuns(int each) {
		await().untilAsserted(() -> assertThat(IntStream.range(0, OBJECTS)).allSatisfy((i) -> assertThat(
				this.world.runs.stream().filter((run) -> run.key().equals(WidgetWorld.key("w" + i))).count())
			.isGreaterThanOrEqualTo(each)));
	}

	private List<String> sizes() {
		return this.world.configMaps.list("web").stream().map((child) -> child.getData().get("size")).toList();
	}

	private long deletions() {
		return this.world.writes().stream().filter((request) -> request.method().equals("DELETE")).count();
	}

}
