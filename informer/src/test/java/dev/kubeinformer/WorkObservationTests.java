package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what surrounds deliveries and runs, up to the log of their failures: the
 * logging context and observers, over real HTTP.
 */
class WorkObservationTests {

	private static final String FINALIZER = "example.com/widgets";

	private static final ReconcilerSpec.Retry SOON = new ReconcilerSpec.Retry(Duration.ofMillis(5), 1,
			Duration.ofSeconds(1), 0);

	private final WidgetWorld world = new WidgetWorld();

	/** Lines of the log and calls of observers, in their order. */
	private final List<String> order = new CopyOnWriteArrayList<>();

	private final List<Map<String, String>> contexts = new CopyOnWriteArrayList<>();

	private final Lines lines = new Lines();

	@BeforeEach
	void listen() {
		this.lines.start();
		logger().addAppender(this.lines);
	}

	@AfterEach
	void close() {
		this.world.close();
		logger().detachAppender(this.lines);
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger("dev.kubeinformer");
	}

	@Test
	void eachAttemptOfADeliveryShouldHaveItsKeysUntilItsFailureIsLogged() {
		AtomicInteger calls = new AtomicInteger();
		this.world.informers.informer(Widget.class).addHandler((EventHandler<Widget>) (event) -> {
			this.contexts.add(context());
			MDC.put("left", "by the handler");
			if (!event.object().getMetadata().getName().equals("b")) {
				calls.incrementAndGet();
				throw new IllegalStateException("s3cret");
			}
		}, HandlerOptions.defaults()
			.withId("sink")
			.withRetry((failures, cause) -> (failures < 2) ? Duration.ofMillis(5) : null)
			.withExhausted((event, cause) -> this.contexts.add(context())));
		this.world.create("a");
		this.world.informers.start();
		await().until(() -> this.contexts.size() == 3);
		assertThat(this.contexts).containsExactly(handler("a", 1), handler("a", 2), handler("a", 2));
		await().until(() -> this.lines.of("Handler 'sink'").size() == 2);
		assertThat(this.lines.of("failed on the addition")).containsExactly(handler("a", 1));
		assertThat(this.lines.of("gave up the addition")).containsExactly(handler("a", 2));
		this.world.create("b");
		await().until(() -> this.contexts.size() == 4);
		assertThat(this.contexts.get(3)).isEqualTo(handler("b", 1));
	}

	private static Map<String, String> handler(String name, int attempt) {
		return Map.of("kubernetes.handler", "sink", "kubernetes.resource", "widgets.example.com",
				"kubernetes.object.namespace", "web", "kubernetes.object.name", name, "kubernetes.attempt",
				Integer.toString(attempt));
	}

	private static Map<String, String> run(String name, int attempt) {
		return Map.of("kubernetes.reconciler", "widgets", "kubernetes.resource", "widgets.example.com",
				"kubernetes.object.namespace", "web", "kubernetes.object.name", name, "kubernetes.attempt",
				Integer.toString(attempt));
	}

	private static Map<String, String> context() {
		Map<String, String> context = new TreeMap<>(MDC.getCopyOfContextMap());
		context.keySet().removeIf((key) -> !key.startsWith("kubernetes."));
		return context;
	}

	@Test
	void observerOfDeliveriesShouldSurroundTheLogOfTheFailure() {
		this.world.informers.informer(Widget.class).addHandler((EventHandler<Widget>) (event) -> {
			this.order.add("handler");
			throw new IllegalStateException("s3cret");
		}, HandlerOptions.defaults()
			.withId("sink")
			.withExhausted((event, cause) -> this.order.add("exhausted"))
			.withObserver(this::delivering));
		this.world.create("a");
		this.world.informers.start();
		await().until(() -> this.order.contains("closed"));
		assertThat(this.order).containsExactly("opened ADD #1", "handler", "handled IllegalStateException",
				"Handler 'sink' failed on the addition of 'web/a'", "exhausted", "closed");
	}

	private DeliveryObserver.Scope delivering(ResourceEvent<?> event) {
		this.order.add("opened %s #%d".formatted(event.type(), event.attempt()));
		return new DeliveryObserver.Scope() {

			@Override
			public void handled(@Nullable Throwable failure) {
				WorkObservationTests.this.order
					.add("handled " + ((failure != null) ? failure.getClass().getSimpleName() : "well"));
			}

			@Override
			public void close() {
				WorkObservationTests.this.order.add("closed");
			}

		};
	}

	@Test
	void observersThatFailShouldNotFailTheWork() {
		List<String> handled = new CopyOnWriteArrayList<>();
		HandlerOptions options = HandlerOptions.defaults();
		this.world.informers.informer(Widget.class)
			.addHandler((EventHandler<Widget>) (event) -> handled.add("none"), options.withObserver((event) -> {
				throw new IllegalStateException();
			}));
		this.world.informers.informer(Widget.class)
			.addHandler((EventHandler<Widget>) (event) -> handled.add("all"),
					options.withObserver((event) -> new FailingScope()));
		this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withListener(new ReconcilerListener() {

			@Override
			public RunScope running(ReconcilerContainer reconciler, RunScope.Start run) {
				return new FailingRunScope();
			}

			@Override
			public Object triggering(ReconcilerContainer reconciler, ObjectKey key) {
				throw new IllegalStateException();
			}

		}));
		this.world.create("a");
		await().until(() -> handled.size() == 2 && !this.world.runs.isEmpty());
		assertThat(this.world.runs.get(0).error()).isNull();
		assertThat(this.world.configMaps.get("web", "a")).isNotNull();
		this.world.informers.reconcilers().get("widgets").trigger(WidgetWorld.key("a"));
		await().until(() -> this.world.runs.size() > 1);
	}

	@Test
	void eachAttemptOfARunAndOfACleanupShouldHaveItsKeysUntilItsFailureIsLogged() {
		AtomicInteger runs = new AtomicInteger();
		AtomicInteger cleanups = new AtomicInteger();
		List<Map<String, String>> expected = new CopyOnWriteArrayList<>();
		this.world.start((widget, run) -> {
			this.contexts.add(context());
			expected.add(run("a", run.attempt()));
			if (runs.incrementAndGet() < 3) {
				throw new IllegalStateException("s3cret");
			}
			return Result.done();
		}, (spec) -> spec.withRetry(SOON).withCleanup(FINALIZER, (widget, run) -> {
			this.contexts.add(context());
			expected.add(run("a", run.attempt()));
			if (cleanups.incrementAndGet() < 2) {
				throw new IllegalArgumentException("s3cret");
			}
			return Result.done();
		}).withListener(this.new Order()));
		this.world.create("a");
		await().until(() -> runs.get() == 3);
		this.world.delete("a");
		await().until(() -> cleanups.get() == 2 && this.order.get(this.order.size() - 1).equals("closed"));
		assertThat(this.contexts).containsExactlyElementsOf(expected).contains(run("a", 2));
		assertThat(this.lines.of("failed in attempt 1")).containsExactly(run("a", 1), run("a", 1));
		assertThat(this.order).containsSubsequence("opened #1", "patch widgets.example.com web/a", "200", "ended ERROR",
				"Reconciler 'widgets' of 'web/a' failed in attempt 1", "ran", "closed", "ended ERROR", "closed",
				"ended DONE", "closed", "opened cleanup #1", "ended ERROR",
				"Reconciler 'widgets', the cleanup of 'web/a' failed in attempt 1", "closed",
				"patch widgets.example.com web/a", "200", "ended DONE", "closed");
	}

	@Test
	void finalizerThatIsRejectedShouldBeLoggedInsideOfTheRun() {
		this.world.api.faults().on(Requests.patch("widgets")).times(1).forbid();
		this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withRetry(SOON)
					.withCleanup(FINALIZER, (widget, run) -> Result.done())
					.withListener(this.new Order()));
		this.world.create("a");
		await().until(() -> this.world.runs.size() >= 2);
		assertThat(this.order).containsSubsequence("opened #1", "patch widgets.example.com web/a", "403", "ended ERROR",
				"Reconciler 'widgets', adding the finalizer 'example.com/widgets' of 'web/a' failed in attempt 1",
				"ran", "closed");
		assertThat(this.lines.of("adding the finalizer")).containsExactly(run("a", 1));
	}

	@Test
	void runThatTimesOutShouldBeLoggedInsideOfItself() {
		CountDownLatch never = new CountDownLatch(1);
		this.world.start((widget, run) -> {
			never.await(60, TimeUnit.SECONDS);
			return Result.done();
		}, (spec) -> spec.withTimeout(Duration.ofMillis(50))
			.withRetry(new ReconcilerSpec.Retry(Duration.ofHours(1), 1, Duration.ofHours(1), 0))
			.withListener(this.new Order()));
		this.world.create("a");
		await().until(() -> this.order.contains("closed"));
		assertThat(this.order).containsExactly("opened #1", "ended TIMEOUT",
				"Reconciler 'widgets' of 'web/a' was cancelled after 50 ms, in attempt 1", "ran", "closed");
		assertThat(this.lines.of("was cancelled")).containsExactly(run("a", 1));
	}

	@Test
	void runThatAStopInterruptsShouldBeClosedWithoutAnOutcome() {
		CountDownLatch begun = new CountDownLatch(1);
		ReconcilerContainer container = this.world.start((widget, run) -> {
			begun.countDown();
			new CountDownLatch(1).await();
			return Result.done();
		}, (spec) -> spec.withDrainTimeout(Duration.ZERO).withListener(this.new Order()));
		this.world.create("a");
		await().until(() -> begun.getCount() == 0);
		container.stop();
		await().until(() -> this.order.contains("closed"));
		assertThat(this.order).startsWith("opened #1")
			.doesNotContain("ran")
			.noneMatch((call) -> call.startsWith("ended"));
	}

	@Test
	void eachKindOfWriteShouldBeObservedWithItsVerbResourceAndStatus() {
		ApiClient own = EngineTestSupport.client(this.world.api.url());
		this.world.informers.hooks().recordWrites(own);
		CoreV1Api core = new CoreV1Api(own);
		this.world.start((widget, run) -> {
			if (run.owned(V1ConfigMap.class).list().isEmpty()) {
				run.apply(WidgetWorld.child(widget));
				V1ConfigMap made = run.create(new V1ConfigMap().metadata(new V1ObjectMeta().name("made")));
				run.patch(made, PatchFormat.MERGE, "{\"data\":{\"a\":\"b\"}}");
				run.delete(made);
				run.status((primary) -> primary.ready(1));
				core.createNamespacedConfigMap("web", new V1ConfigMap().metadata(new V1ObjectMeta().name("own")))
					.execute();
				core.replaceNamespacedConfigMap("own", "web",
						new V1ConfigMap().metadata(new V1ObjectMeta().name("own")))
					.execute();
				core.readNamespacedConfigMap("own", "web").execute();
				core.deleteNamespacedConfigMap("own", "web").execute();
			}
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withListener(this.new Order()));
		this.world.create("a");
		await().until(() -> !this.world.runs.isEmpty());
		assertThat(this.world.runs.get(0).error()).isNull();
		assertThat(this.order).containsSubsequence("apply configmaps web/a", "201", "end", "create configmaps web/",
				"201", "end", "patch configmaps web/made", "200", "end", "delete configmaps web/made", "200", "end",
				"patch widgets.example.com/status web/a", "200", "end", "create configmaps web/", "201", "end",
				"update configmaps web/own", "200", "end", "delete configmaps web/own", "200", "end");
		assertThat(this.order).noneMatch((call) -> call.startsWith("get"));
		assertThat(this.world.writes()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.header("traceparent")).isEqualTo("00-test"));
	}

	@Test
	void writesThatFailShouldBeObservedWithTheStatusOrTheKindOfTheFailure() {
		this.world.api.faults().on(Requests.patch("configmaps")).times(1).status(422);
		this.world.api.faults().on(Requests.create("configmaps")).times(1).cut();
		AtomicInteger attempts = new AtomicInteger();
		this.world.start((widget, run) -> {
			if (attempts.incrementAndGet() == 1) {
				run.apply(WidgetWorld.child(widget));
			}
			run.create(new V1ConfigMap().metadata(new V1ObjectMeta().name("made" + attempts)));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withRetry(SOON).withListener(this.new Order()));
		this.world.create("a");
		await().until(() -> this.world.runs.stream().anyMatch((run) -> run.error() == null));
		assertThat(this.order).containsSubsequence("apply configmaps web/a", "422", "end", "ended ERROR", "closed",
				"create configmaps web/", "IO", "end", "ended ERROR", "closed", "create configmaps web/", "201", "end",
				"ended DONE");
	}

	@Test
	void originOfTheFirstTriggerShouldBeGivenToTheNextRunAlone() throws Exception {
		Order listener = this.new Order();
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withListener(listener));
		this.world.create("a");
		await().until(() -> this.order.contains("closed"));
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		this.order.clear();
		container.pause();
		listener.origin = "first";
		container.trigger(WidgetWorld.key("a"));
		listener.origin = "second";
		container.trigger(WidgetWorld.key("a"));
		container.resume();
		await().until(() -> this.order.contains("closed"));
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		listener.origin = null;
		container.trigger(WidgetWorld.key("a"));
		await().until(() -> this.order.stream().filter("closed"::equals).count() == 2);
		assertThat(this.order).filteredOn((call) -> call.startsWith("opened"))
			.containsExactly("opened #1 from first", "opened #1");
	}

	@Test
	void originShouldBeKeptWhileTheRunWaitsForItsFinalizer() {
		Order listener = this.new Order();
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				// With a field selector, the run must wait for the watch.
				(spec) -> spec.withFieldSelector("metadata.namespace=web")
					.withCleanup(FINALIZER, (widget, run) -> Result.done())
					.withListener(listener));
		await().until(() -> container.status().state() == ReconcilerState.ACTIVE);
		container.pause();
		this.world.create("a");
		await().until(() -> container.status().queue().ready().containsValue(1));
		listener.origin = "handler";
		container.trigger(WidgetWorld.key("a"));
		Fault held = this.world.api.faults().watchLag(Requests.watch("widgets"), Duration.ofHours(1));
		container.resume();
		await().until(() -> container.status().queue().parked() == 1);
		held.remove();
		await().until(() -> this.order.contains("ended DONE"));
		assertThat(this.order).startsWith("opened #1 from handler", "patch widgets.example.com web/a", "200", "end",
				"closed", "opened #1 from handler", "ended DONE");
	}

	@Test
	void failuresOfAnObserverShouldBeLoggedOnceWithTheHandler() {
		this.world.informers.informer(Widget.class)
			.addHandler((EventHandler<Widget>) (event) -> this.order.add("handled"),
					HandlerOptions.defaults().withId("sink").withObserver((event) -> {
						throw new IllegalStateException("s3cret");
					}));
		this.world.create("a");
		this.world.create("b");
		this.world.create("c");
		this.world.informers.start();
		await().until(() -> this.order.stream().filter("handled"::equals).count() == 3);
		assertThat(this.lines.of("An observer of handler 'sink' failed")).hasSize(1);
		assertThat(this.lines.of("IllegalStateException")).isEmpty();
	}

	/**
	 * Listener that records the order of its calls.
	 */
	private final class Order implements ReconcilerListener {

		private volatile @Nullable String origin;

		@Override
		public @Nullable Object triggering(ReconcilerContainer reconciler, ObjectKey key) {
			return this.origin;
		}

		@Override
		public RunScope running(ReconcilerContainer reconciler, RunScope.Start run) {
			add("opened %s#%d%s".formatted(run.cleanup() ? "cleanup " : "", run.attempt(),
					(run.origin() != null) ? " from " + run.origin() : ""));
			return new RunScope() {

				@Override
				public WriteScope writing(Write write, BiConsumer<String, String> headers) {
					add("%s %s %s".formatted(write.verb(), write.resource(), write.key()));
					headers.accept("traceparent", "00-test");
					return new RecordedWrite();
				}

				@Override
				public void ended(ReconcileRun ended) {
					add("ended " + ended.outcome());
				}

				@Override
				public void close() {
					add("closed");
				}

			};
		}

		@Override
		public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
			add("ran");
		}

		private void add(String call) {
			WorkObservationTests.this.order.add(call);
		}

	}

	private final class RecordedWrite implements RunScope.WriteScope {

		@Override
		public void answered(int status) {
			WorkObservationTests.this.order.add(Integer.toString(status));
		}

		@Override
		public void unanswered(@Nullable Problem problem, Throwable failure) {
			WorkObservationTests.this.order.add(String.valueOf(problem));
		}

		@Override
		public void close() {
			WorkObservationTests.this.order.add("end");
		}

	}

	private static final class FailingScope implements DeliveryObserver.Scope {

		@Override
		public void handled(@Nullable Throwable failure) {
			throw new IllegalStateException();
		}

		@Override
		public void close() {
			throw new IllegalStateException();
		}

	}

	private static final class FailingRunScope implements RunScope {

		@Override
		public WriteScope writing(Write write, BiConsumer<String, String> headers) {
			throw new IllegalStateException();
		}

		@Override
		public void ended(ReconcileRun run) {
			throw new IllegalStateException();
		}

		@Override
		public void close() {
			throw new IllegalStateException();
		}

	}

	/**
	 * Lines of the log with their contexts.
	 */
	private final class Lines extends AppenderBase<ILoggingEvent> {

		private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

		@Override
		protected void append(ILoggingEvent event) {
			event.prepareForDeferredProcessing();
			this.events.add(event);
			if (event.getThrowableProxy() != null) {
				WorkObservationTests.this.order.add(event.getFormattedMessage());
			}
		}

		List<Map<String, String>> of(String part) {
			List<Map<String, String>> found = new ArrayList<>();
			for (ILoggingEvent event : this.events) {
				if (event.getFormattedMessage().contains(part)) {
					Map<String, String> context = new TreeMap<>(event.getMDCPropertyMap());
					context.keySet().removeIf((key) -> !key.startsWith("kubernetes."));
					found.add(context);
				}
			}
			return found;
		}

	}

}
