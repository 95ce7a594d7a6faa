package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.Interceptor;
import okhttp3.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.LeadershipLostException;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Restrictions of runs whose term is over. */
class ReconcilerFenceTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private final WidgetWorld world = new WidgetWorld();

	private final ScriptedLeadership leadership = new ScriptedLeadership();

	private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

	private final CountDownLatch go = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.go.countDown();
		this.world.close();
	}

	private ReconcilerContainer start(ReconcileFunction<Widget> function) {
		return this.world.start(function,
				(spec) -> spec.withLeadership(this.leadership).withDrainTimeout(Duration.ofMillis(300)));
	}

	private void useClient(ApiClient client) {
		this.world.informers.close();
		this.world.informers = EngineTestSupport.informers(client, (builder) -> builder);
	}

	private ApiClient clientThat(Interceptor interceptor) {
		ApiClient client = EngineTestSupport.client(this.world.api.url());
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(interceptor).build());
		return client;
	}

	private Result applying(Widget widget, Reconciliation<Widget> run) throws Exception {
		try {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}
		catch (Throwable ex) {
			this.thrown.add(ex);
			throw ex;
		}
	}

	private static void awaitState(ReconcilerContainer container, ReconcilerState state) {
		await().untilAsserted(() -> assertThat(container.status().state()).isEqualTo(state));
	}

	private void awaitGo() {
		while (this.go.getCount() > 0) {
			try {
				this.go.await();
			}
			catch (InterruptedException ex) {
				// As code does that knows better.
				Thread.interrupted();
			}
		}
	}

	@Test
	void requestShouldBeRefusedRightBeforeItIsSentWhenTheTermEndedWhileItWaited() {
		// After the run has asked, and before there is a connection.
		useClient(clientThat((chain) -> {
			if (chain.request().method().equals("PATCH")) {
				this.leadership.expire();
			}
			return chain.proceed(chain.request());
		}));
		this.world.create("a");
		ReconcilerContainer container = start(this::applying);
		this.leadership.grant();
		await().until(() -> !this.thrown.isEmpty());
		assertThat(this.thrown).singleElement()
			.isInstanceOf(LeadershipLostException.class)
			.extracting(Throwable::getMessage)
			.asString()
			.contains("PATCH /api/v1/namespaces/web/configmaps/a", "term 1", "'widgets'");
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(this.world.writes()).isEmpty();
		assertThat(this.world.runs).isEmpty();
		assertThat(container.status().runs().failed()).isZero();
		assertThat(container.status().failing()).isEmpty();
	}

	@Test
	void repetitionByTheHttpClientShouldBeRefusedToo() {
		ApiClient client = EngineTestSupport.client(this.world.api.url());
		AtomicInteger attempts = new AtomicInteger();
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor((chain) -> {
			Request request = chain.request();
			if (!request.method().equals("PATCH")) {
				return chain.proceed(request);
			}
			attempts.incrementAndGet();
			chain.proceed(request).close();
			this.leadership.expire();
			attempts.incrementAndGet();
			return chain.proceed(request);
		}).build());
		useClient(client);
		this.world.create("a");
		ReconcilerContainer container = start(this::applying);
		this.leadership.grant();
		await().until(() -> !this.thrown.isEmpty());
		assertThat(this.thrown).singleElement().isInstanceOf(LeadershipLostException.class);
		assertThat(attempts).hasValue(2);
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(this.world.writes()).hasSize(1);
	}

	@Test
	void clientWhoseWritesAreRecordedShouldBeFencedForTheThreadOfTheRun() {
		AtomicBoolean late = new AtomicBoolean();
		ApiClient client = EngineTestSupport.client(this.world.api.url());
		// After the run was asked for, and with a connection already.
		client.setHttpClient(client.getHttpClient().newBuilder().addNetworkInterceptor((chain) -> {
			if (chain.request().method().equals("POST") && late.get()) {
				this.leadership.expire();
			}
			return chain.proceed(chain.request());
		}).build());
		useClient(client);
		this.world.informers.hooks().recordWrites(client);
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			try {
				CoreV1Api core = new CoreV1Api(client);
				core.createNamespacedConfigMap("web", WidgetWorld.child(widget)).execute();
				late.set(true);
				core.createNamespacedSecret("web", new V1Secret().metadata(new V1ObjectMeta().name("s"))).execute();
			}
			catch (Throwable ex) {
				this.thrown.add(ex);
				throw ex;
			}
			return Result.done();
		});
		this.leadership.grant();
		await().until(() -> !this.thrown.isEmpty());
		assertThat(this.thrown).singleElement().isInstanceOf(LeadershipLostException.class);
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(this.world.writes()).extracting(RecordedRequest::resource).containsExactly("configmaps");
	}

	@Test
	void noKeyShouldBeHandedOutWhenOnlyTheClocksSayThatTheTermIsOver() throws InterruptedException {
		this.world.create("a");
		AtomicInteger runs = new AtomicInteger();
		ReconcilerContainer container = start((widget, run) -> {
			runs.incrementAndGet();
			return Result.done();
		});
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(runs).hasValue(1);
		this.leadership.expire();
		this.world.create("b");
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(runs).hasValue(1);
		assertThat(container.status().queue().ready().values()).containsOnly(0);
		// Late, and no harm.
		this.leadership.lose();
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(runs).hasValue(3);
	}

	@Test
	void requestUnderWayShouldBeCancelledWhenTheTermIsLost() {
		Fault frozen = this.world.api.faults().on((request) -> request.method().equals("PATCH")).freeze();
		this.world.create("a");
		ReconcilerContainer container = start(this::applying);
		this.leadership.grant();
		await().until(() -> frozen.hits() == 1);
		this.leadership.lose();
		await().until(() -> !this.thrown.isEmpty());
		assertThat(this.thrown).singleElement().isInstanceOf(LeadershipLostException.class);
		awaitState(container, ReconcilerState.STANDBY);
		await().until(() -> container.status().runs().active() == 0);
		assertThat(this.world.runs).isEmpty();
		assertThat(container.status().runs().failed()).isZero();
	}

	@Test
	void requestUnderWayShouldEndWithTheTermAlthoughNobodySaysSo() {
		Fault frozen = this.world.api.faults().on((request) -> request.method().equals("PATCH")).freeze();
		this.world.create("a");
		ReconcilerContainer container = start(this::applying);
		this.leadership.grant(Instant.now().plusMillis(400));
		await().until(() -> frozen.hits() == 1);
		this.leadership.expire();
		await().until(() -> !this.thrown.isEmpty());
		awaitState(container, ReconcilerState.STANDBY);
		await().until(() -> container.status().runs().active() == 0);
	}

	@Test
	void longRequestShouldNotEndWhileTheTermIsRenewed() throws InterruptedException {
		this.world.api.faults().on((request) -> request.method().equals("PATCH")).delay(Duration.ofMillis(600));
		this.world.create("a");
		ReconcilerContainer container = start(this::applying);
		// Its end comes and passes: the elector has renewed the term meanwhile.
		this.leadership.grant(Instant.now().plusMillis(100));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.thrown).isEmpty();
		assertThat(this.world.runs).isNotEmpty();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.ACTIVE);
	}

	@Test
	void runThatWaitsShouldBeInterruptedWhenTheTermIsLost() throws InterruptedException {
		CountDownLatch waiting = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			try {
				waiting.countDown();
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
			return Result.done();
		});
		this.leadership.grant();
		assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
		this.leadership.lose();
		assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(this.world.runs).isEmpty();
	}

	@Test
	void codeThatSwallowsTheRefusalShouldWriteNothing() {
		CountDownLatch waiting = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			waiting.countDown();
			awaitGo();
			for (int i = 0; i < 3; i++) {
				try {
					run.apply(WidgetWorld.child(widget));
				}
				catch (RuntimeException ex) {
					this.thrown.add(ex);
				}
			}
			try {
				run.event(EventType.NORMAL, "Late", "after the term");
			}
			catch (RuntimeException ex) {
				this.thrown.add(ex);
			}
			ended.countDown();
			return Result.done();
		});
		this.leadership.grant();
		await().until(() -> waiting.getCount() == 0);
		this.leadership.lose();
		this.go.countDown();
		await().until(() -> ended.getCount() == 0);
		assertThat(this.thrown).hasSize(4).hasOnlyElementsOfType(LeadershipLostException.class);
		await().until(() -> container.status().runs().active() == 0);
		assertThat(this.world.writes()).isEmpty();
		assertThat(this.world.runs).isEmpty();
	}

	@Test
	void runThatIgnoresItsInterruptShouldNotOverlapOneOfTheNextTerm() throws InterruptedException {
		AtomicInteger active = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger begun = new AtomicInteger();
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			most.accumulateAndGet(active.incrementAndGet(), Math::max);
			if (begun.incrementAndGet() == 1) {
				awaitGo();
			}
			active.decrementAndGet();
			return applying(widget, run);
		});
		this.leadership.grant();
		await().until(() -> begun.get() == 1);
		this.leadership.lose();
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(container.status().runs().active()).isEqualTo(1);
		this.leadership.grant();
		awaitState(container, ReconcilerState.ACTIVE);
		this.world.create("b");
		// Others run meanwhile.
		await().until(() -> this.world.runs.stream().anyMatch((run) -> run.key().name().equals("b")));
		assertThat(this.leadership.drain()).isFalse();
		this.leadership.lose();
		awaitState(container, ReconcilerState.STANDBY);
		this.leadership.grant();
		awaitState(container, ReconcilerState.ACTIVE);
		assertThat(this.world.runs).noneMatch((run) -> run.key().name().equals("a"));
		this.go.countDown();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).anyMatch((run) -> run.key().name().equals("a"));
		assertThat(most).hasValue(2);
		assertThat(this.thrown).singleElement().isInstanceOf(LeadershipLostException.class);
		assertThat(this.world.configMaps.list("web")).hasSize(2);
		assertThat(this.leadership.drain()).isTrue();
	}

	@Test
	void drainShouldWaitForRunsAndBeginNone() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			waiting.countDown();
			awaitGo();
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withLeadership(this.leadership));
		this.leadership.grant();
		assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
		FutureTask<Boolean> drained = new FutureTask<>(this.leadership::drain);
		Thread drainer = new Thread(drained, "drainer");
		drainer.start();
		await().until(() -> drainer.getState() == Thread.State.TIMED_WAITING);
		this.world.create("b");
		await().until(() -> this.world.informers.lister(Widget.class).list().size() == 2);
		assertThat(drained.isDone()).isFalse();
		this.go.countDown();
		assertThat(drained.get(60, TimeUnit.SECONDS)).isTrue();
		this.leadership.release();
		awaitState(container, ReconcilerState.STANDBY);
		// The run in progress ended normally.
		assertThat(this.world.runs).singleElement().extracting((run) -> run.key().name()).isEqualTo("a");
		assertThat(this.world.configMaps.list("web")).hasSize(1);
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.list("web")).hasSize(2);
	}

	@Test
	void runThatTakesTooLongToDrainShouldBeInterrupted() throws InterruptedException {
		CountDownLatch waiting = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			waiting.countDown();
			new CountDownLatch(1).await();
			return Result.done();
		});
		this.leadership.grant();
		assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(this.leadership.drain()).isTrue();
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(this.world.runs).isEmpty();
	}

	@Test
	void runsShouldEndInGoodOrderWhenTheReconcilerIsStopped() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			waiting.countDown();
			awaitGo();
			return applying(widget, run);
		}, (spec) -> spec.withLeadership(this.leadership));
		this.leadership.grant();
		assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(container::stop);
		// The Lease must not be released meanwhile.
		assertThat(this.leadership.works).hasSize(1);
		this.go.countDown();
		stopped.get(60, TimeUnit.SECONDS);
		assertThat(this.thrown).isEmpty();
		assertThat(this.world.configMaps.list("web")).hasSize(1);
		assertThat(this.leadership.works).isEmpty();
	}

	@Test
	void runOfTheNextStartShouldNotHoldUpTheEndOfTheOneBefore() throws InterruptedException {
		CountDownLatch busy = new CountDownLatch(1);
		Set<String> begun = ConcurrentHashMap.newKeySet();
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			boolean first = begun.add(widget.getMetadata().getName());
			if (first && widget.getMetadata().getName().equals("a")) {
				awaitGo();
			}
			else {
				busy.await();
			}
			return Result.done();
		});
		this.leadership.grant();
		await().until(() -> begun.contains("a"));
		container.stop();
		assertThat(this.leadership.works).hasSize(1);
		LeaderWork before = this.leadership.works.get(0);
		this.world.create("b");
		container.start();
		await().until(() -> begun.contains("b"));
		assertThat(this.leadership.works).hasSize(2);
		assertThat(before.drain()).isFalse();
		this.go.countDown();
		await().until(() -> !this.leadership.works.contains(before));
		assertThat(before.drain()).isTrue();
		assertThat(this.leadership.works).hasSize(1);
		assertThat(container.status().runs().active()).isPositive();
		busy.countDown();
	}

	@Test
	void closeShouldEndThePartOfAStopThatARunHeldUp() {
		CountDownLatch waiting = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			waiting.countDown();
			awaitGo();
			return Result.done();
		});
		this.leadership.grant();
		await().until(() -> waiting.getCount() == 0);
		container.stop();
		assertThat(this.leadership.works).hasSize(1);
		this.go.countDown();
		await().pollInterval(Duration.ofMillis(1)).until(() -> container.status().runs().active() == 0);
		container.close();
		await().until(this.leadership.works::isEmpty);
	}

	@Test
	void lossWhileTheReconcilerIsBeingStoppedShouldCutItsRuns() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			waiting.countDown();
			new CountDownLatch(1).await();
			return Result.done();
		}, (spec) -> spec.withLeadership(this.leadership).withDrainTimeout(Duration.ofHours(1)));
		this.leadership.grant();
		assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(container::stop);
		this.leadership.lose();
		stopped.get(60, TimeUnit.SECONDS);
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STOPPED);
		this.leadership.grant();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.STOPPED);
	}

	@Test
	void termsInQuickSuccessionShouldEndInTheLastOne() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start(this::applying);
		assertThat(container.awaitSync(LONG)).isTrue();
		for (int i = 0; i < 100; i++) {
			this.leadership.grant();
			if (i % 3 != 0) {
				this.leadership.lose();
			}
		}
		this.leadership.lose();
		awaitState(container, ReconcilerState.STANDBY);
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.ACTIVE);
		assertThat(this.world.configMaps.list("web")).hasSize(1);
	}

	@Test
	void leadershipThatFailsShouldCountAsLost() throws InterruptedException {
		this.world.create("a");
		AtomicBoolean broken = new AtomicBoolean();
		ReconcilerContainer container = start((widget, run) -> Result.done());
		this.leadership.whenAsked(() -> {
			if (broken.get()) {
				throw new IllegalStateException("as the test wants it");
			}
		});
		this.leadership.grant();
		assertThat(container.awaitIdle(LONG)).isTrue();
		broken.set(true);
		this.world.create("b");
		awaitState(container, ReconcilerState.STANDBY);
		assertThat(this.world.runs).hasSize(1);
	}

}
