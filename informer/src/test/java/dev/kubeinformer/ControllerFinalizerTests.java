package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Finalizers of reconcilers: no object goes before its cleanup.
 */
class ControllerFinalizerTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private static final String FINALIZER = "example.com/widgets";

	private static final String FOREIGN = "example.com/other";

	private final WidgetWorld world = new WidgetWorld();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void finalizerShouldBeThereBeforeTheFirstRunAndGoAfterTheCleanup() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> Result.done());
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).isNotEmpty().containsOnly("run [example.com/widgets]");
		this.world.delete("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.get("a")).isNull();
		assertThat(this.calls).last().isEqualTo("cleanup");
		assertThat(this.calls).filteredOn("cleanup"::equals).hasSize(1);
		assertThat(this.world.runs).last().extracting(ReconcileRun::cleanup).isEqualTo(true);
	}

	@Test
	void foreignFinalizerShouldStayWhereItIs() throws InterruptedException {
		Widget widget = Widget.of("web", "a", 1);
		widget.getMetadata().addFinalizersItem(FOREIGN);
		this.world.widgets.create(widget);
		ReconcilerContainer container = start((object, run) -> Result.done());
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.get("a").getMetadata().getFinalizers()).containsExactly(FOREIGN, FINALIZER);
		this.world.delete("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.get("a").getMetadata().getFinalizers()).containsExactly(FOREIGN);
		this.world.widgets.edit("web", "a", (object) -> object.getMetadata().putLabelsItem("changed", "yes"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).filteredOn("cleanup"::equals).hasSize(1);
	}

	@Test
	void objectThatIsBeingDeletedShouldGetNoFinalizerAndNoRun() throws InterruptedException {
		Widget widget = Widget.of("web", "a", 1);
		widget.getMetadata().addFinalizersItem(FOREIGN);
		this.world.widgets.create(widget);
		this.world.delete("a");
		ReconcilerContainer container = start((object, run) -> Result.done());
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).isEmpty();
		assertThat(this.world.writes()).extracting(RecordedRequest::method).containsExactly("DELETE");
	}

	@Test
	void cleanupShouldBeAskedAgainUntilItIsDone() throws InterruptedException {
		AtomicInteger cleanups = new AtomicInteger();
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> switch (cleanups.incrementAndGet()) {
			case 1 -> throw new IllegalStateException("not now");
			case 2 -> Result.requeueAfter(Duration.ofMillis(10));
			default -> Result.done();
		});
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(cleanups).hasValue(3);
	}

	@Test
	void processThatIsKilledBetweenCleanupAndRemovalShouldCleanUpAgain() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> Result.done());
		assertThat(container.awaitIdle(LONG)).isTrue();
		Fault fault = this.world.api.faults().on(Requests.patch("widgets")).status(500);
		this.world.delete("a");
		await().until(() -> this.calls.contains("cleanup") && fault.hits() > 0);
		this.world.restartProcess();
		fault.remove();
		this.calls.clear();
		ReconcilerContainer next = start((widget, run) -> Result.done());
		assertThat(next.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("cleanup");
		assertThat(this.world.get("a")).isNull();
	}

	@Test
	void finalizerThatIsGoneAlreadyShouldBeNoFailure() throws InterruptedException {
		CountDownLatch removed = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			// Somebody removes it by hand, and with it the object.
			this.world.widgets.edit("web", "a", (object) -> object.getMetadata().setFinalizers(null));
			removed.countDown();
			return Result.done();
		});
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.delete("a");
		this.world.delete("a");
		assertThat(removed.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().runs().failed()).isZero();
		assertThat(this.calls).filteredOn("cleanup"::equals).hasSize(1);
	}

	@Test
	void cachedFinalizerThatWasRemovedShouldNotBeCleanedUpAgain() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> Result.done());
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.delete("a");
		Fault lag = this.world.api.faults().watchLag(Duration.ofMillis(300));
		await().until(() -> this.calls.contains("cleanup"));
		container.trigger(WidgetWorld.key("a"));
		lag.remove();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).filteredOn("cleanup"::equals).hasSize(1);
	}

	private ReconcilerContainer start(ReconcileFunction<Widget> cleanup) {
		return this.world.start((widget, run) -> {
			this.calls.add("run " + widget.getMetadata().getFinalizers().stream().filter(FINALIZER::equals).toList());
			return Result.done();
		}, (spec) -> spec.withCleanup(FINALIZER, (widget, run) -> {
			this.calls.add("cleanup");
			return cleanup.reconcile(widget, run);
		}));
	}

}
