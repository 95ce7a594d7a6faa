package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.GiveUpException;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of reconcilers at the edges of their life: starts that come late, stops in the
 * wrong order, answers that are not true, and threads that are not to be had.
 */
class ControllerEdgeTests {

	private static final String FINALIZER = "example.com/widgets";

	private final WidgetWorld world = new WidgetWorld();

	@AfterEach
	void close() {
		this.world.close();
	}

	@Test
	void lateStartShouldWaitForWhatAPredecessorWrote() {
		AtomicInteger seen = new AtomicInteger(-1);
		ReconcilerContainer container = this.world.informers.controller(this.world.spec((widget, run) -> {
			seen.compareAndSet(-1, run.owned(V1ConfigMap.class).list().size());
			return Result.done();
		}).withOwned(V1ConfigMap.class));
		this.world.create("a");
		this.world.informers.informer(V1ConfigMap.class);
		this.world.informers.informer(Widget.class);
		this.world.informers.start();
		await().until(() -> this.world.informers.all().stream().allMatch(Informer::hasSynced));
		await().until(() -> this.world.api.openWatches() == 2);
		this.world.api.faults().watchLag(Requests.watch("configmaps"), Duration.ofSeconds(1));
		V1OwnerReference owner = new V1OwnerReference().apiVersion("example.com/v1")
			.kind("Widget")
			.name("a")
			.uid(this.world.get("a").getMetadata().getUid())
			.controller(true);
		this.world.configMaps.create(new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("web").name("child").ownerReferences(List.of(owner))));
		container.start();
		await().until(() -> seen.get() >= 0);
		assertThat(seen).hasValue(1);
	}

	@Test
	void waitForIdlenessShouldSeeWhatARunWroteThatHadBegunBefore() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch write = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			begun.countDown();
			assertThat(write.await(60, TimeUnit.SECONDS)).isTrue();
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
		await().until(() -> this.world.api.openWatches() == 2);
		this.world.api.faults().watchLag(Requests.watch("configmaps"), Duration.ofMillis(500));
		this.world.api.clearRequests();
		FutureTask<Boolean> idle = new FutureTask<>(() -> container.awaitIdle(WidgetWorld.LONG));
		Thread waiting = new Thread(idle);
		waiting.start();
		// It has found the caches up to date, and waits for the run.
		await().until(() -> this.world.api.requests().stream().filter(EngineTestSupport::isProbe).count() == 2
				&& waiting.getState() == Thread.State.TIMED_WAITING);
		write.countDown();
		assertThat(idle.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(this.world.informers.informer(V1ConfigMap.class).lister().get("web/a")).isNotNull();
		assertThat(this.world.runs).hasSize(2);
	}

	@Test
	void runsShouldNotGoOnWhereTheInformersAreStoppedFirst() throws InterruptedException {
		AtomicInteger children = new AtomicInteger();
		AtomicBoolean stopping = new AtomicBoolean();
		ReconcilerContainer container = this.world.start((widget, run) -> {
			if (run.owned(V1ConfigMap.class).list().size() <= children.get()) {
				children.incrementAndGet();
				run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName("child-")));
			}
			return stopping.get() ? Result.requeueAfter(Duration.ofMillis(1)) : Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		AtomicBoolean blocked = new AtomicBoolean();
		AtomicBoolean release = new AtomicBoolean();
		this.world.informers.informer(V1ConfigMap.class).addHandler((EventHandler<V1ConfigMap>) (event) -> {
			blocked.set(true);
			await().until(release::get);
		}, HandlerOptions.defaults());
		this.world.configMaps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("web").name("slow")));
		await().until(blocked::get);
		this.world.api.faults().watchLag(Requests.watch("configmaps"), Duration.ofMillis(200));
		stopping.set(true);
		this.world.create("a");
		await().until(() -> children.get() >= 1);
		Thread stop = new Thread(this.world.informers::stop);
		stop.start();
		await().until(() -> !container.hasSynced());
		// One run may be in flight.
		int created = children.get();
		long runs = container.status().runs().total();
		await().during(Duration.ofMillis(300))
			.until(() -> container.status().runs().total() - runs <= 1 && children.get() - created <= 1);
		release.set(true);
		stop.join();
	}

	@Test
	void answerThatIsNotTrueShouldNotLoseAKeyWhoseFinalizerIsAdded() throws InterruptedException {
		ReconcilerContainer container = startWithCleanup(new AtomicInteger());
		Fault fault = this.world.api.faults().on(Requests.patch("widgets")).times(1).status(404);
		this.world.create("a");
		await().until(() -> fault.hits() == 1);
		await().until(() -> this.world.runs.stream().anyMatch((run) -> run.error() == null));
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		assertThat(this.world.get("a").getMetadata().getFinalizers()).containsExactly(FINALIZER);
	}

	@Test
	void answerThatIsNotTrueShouldNotKeepAnObjectForEver() throws InterruptedException {
		AtomicInteger cleanups = new AtomicInteger();
		ReconcilerContainer container = startWithCleanup(cleanups);
		this.world.create("a");
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		Fault fault = this.world.api.faults().on(Requests.patch("widgets")).times(1).status(404);
		this.world.delete("a");
		await().until(() -> fault.hits() == 1);
		await().until(() -> this.world.widgets.list("web").isEmpty());
		assertThat(cleanups).hasValue(1);
	}

	private ReconcilerContainer startWithCleanup(AtomicInteger cleanups) throws InterruptedException {
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withOwnWritesTimeout(Duration.ofMillis(500)).withCleanup(FINALIZER, (widget, run) -> {
					cleanups.incrementAndGet();
					return Result.done();
				}));
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		return container;
	}

	@Test
	void objectThatIsDeletedWhileItRunsShouldBeNoFailure() throws InterruptedException {
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(ReconcilerContainer.class);
		lines.start();
		logger.addAppender(lines);
		try {
			ReconcilerContainer container = this.world.start((widget, run) -> {
				this.world.delete(run.key().name());
				if (run.key().name().equals("seen")) {
					await().until(() -> this.world.informers.informer(Widget.class).lister().get("web/seen") == null);
					run.patch(new V1ConfigMap().metadata(new V1ObjectMeta().name("gone")), PatchFormat.MERGE, "{}");
				}
				run.status((changed) -> changed.ready(1));
				return Result.done();
			});
			assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
			this.world.create("seen");
			await().until(() -> this.world.runs.size() == 1);
			this.world.api.faults().watchLag(Requests.watch("widgets"), Duration.ofMillis(50));
			this.world.create("unseen");
			await().until(() -> this.world.runs.size() > 1);
			assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
			assertThat(this.world.outcomes()).containsOnly(RunOutcome.CONFLICT);
			assertThat(lines.list).noneMatch((line) -> line.getLevel().isGreaterOrEqual(Level.INFO));
			assertThat(container.status().runs().failed()).isZero();
		}
		finally {
			logger.detachAppender(lines);
		}
	}

	@Test
	void statusWithoutItsSubresourceShouldBeNamed() {
		this.world.api.resources(V1CustomResourceDefinition.class)
			.edit("widgets.example.com",
					(definition) -> definition.getSpec().getVersions().get(0).setSubresources(null));
		this.world.start((widget, run) -> {
			run.status((changed) -> changed.ready(1));
			return Result.done();
		});
		this.world.create("a");
		await().until(() -> !this.world.runs.isEmpty());
		assertThat(this.world.runs.get(0).outcome()).isEqualTo(RunOutcome.ERROR);
		assertThat(this.world.runs.get(0).error()).isInstanceOf(ApiException.class)
			.hasMessageContaining("PATCH widgets.example.com/status 'web/a': HTTP 404")
			.hasMessageEndingWith(
					"'widgets.example.com' has no subresource 'status'; add 'subresources.status' to the version 'v1' in its CustomResourceDefinition");
	}

	@Test
	void writeOfAResourceThatIsNotServedShouldSayWhy() {
		this.world.start((widget, run) -> {
			run.apply(new Gear());
			return Result.done();
		});
		this.world.create("a");
		await().until(() -> !this.world.runs.isEmpty());
		assertThat(this.world.runs.get(0).error()).hasMessageContaining("HTTP 404")
			.hasMessageEndingWith(
					"; 'example.com/v1' has no resource 'gears'; is its CustomResourceDefinition installed?");
	}

	@Test
	void wantOfAThreadShouldNotEndTheReconciler() {
		AtomicInteger made = new AtomicInteger();
		this.world.create("a");
		this.world.start((widget, run) -> Result.done(), (spec) -> spec.withThreadFactory((work) -> {
			if (made.incrementAndGet() == 1) {
				throw new OutOfMemoryError("no native thread");
			}
			return new Thread(work);
		}));
		await().until(() -> this.world.runs.size() == 1);
		assertThat(made).hasValueGreaterThan(1);
	}

	@Test
	void givenUpObjectThatGoesWhileNothingRunsShouldBeForgotten() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			throw new GiveUpException("no size fits");
		});
		await().until(() -> container.status().queue().failingKeys() == 1);
		container.stop();
		this.world.delete("a");
		container.start();
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		assertThat(container.status().failing()).isEmpty();
		assertThat(container.status().queue().failingKeys()).isZero();
	}

	@Test
	void exceptionThatIsExcludedShouldEndTheRetriesButForConflicts() throws InterruptedException {
		AtomicInteger runs = new AtomicInteger();
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			throw (runs.incrementAndGet() < 3) ? new ApiException(409, "Conflict")
					: new IllegalStateException(new ApiException(400, "Bad Request"));
		}, (spec) -> spec.withRetryExcludes(List.of(ApiException.class)));
		await().until(() -> container.status().queue().failingKeys() == 1);
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		assertThat(container.status().runs().conflicts()).isEqualTo(2);
		assertThat(runs).hasValue(3);
	}

	@Test
	void closedReconcilerShouldKeepItsIdWhileARunGoesOn() {
		AtomicBoolean running = new AtomicBoolean();
		AtomicBoolean release = new AtomicBoolean();
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			running.set(true);
			while (!release.get()) {
				// It ignores that it is interrupted.
				Thread.onSpinWait();
			}
			return Result.done();
		}, (spec) -> spec.withDrainTimeout(Duration.ofMillis(10)));
		await().until(running::get);
		container.close();
		assertThatIllegalStateException().isThrownBy(container::start).withMessageContaining("closed");
		assertThatIllegalArgumentException().isThrownBy(() -> this.world.start((widget, run) -> Result.done()))
			.withMessageContaining("'widgets'");
		release.set(true);
		await().until(() -> this.world.informers.reconcilers().all().isEmpty());
		this.world.start((widget, run) -> Result.done());
	}

	/**
	 * A resource that is not served.
	 */
	@KubernetesResource(group = "example.com", version = "v1", kind = "Gear", plural = "gears")
	public static final class Gear implements KubernetesObject {

		private String apiVersion = "example.com/v1";

		private String kind = "Gear";

		private V1ObjectMeta metadata = new V1ObjectMeta().name("gear");

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

	}

}
