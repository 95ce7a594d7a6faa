package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;

import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.withPatientSlots;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what listeners may do while they are notified: take their time, start, and
 * wait for others.
 */
class SlowListenerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers = informers(this.api.url());

	private final CountDownLatch gate = new CountDownLatch(1);

	private final CountDownLatch delivered = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.gate.countDown();
		this.informers.close();
		this.api.close();
	}

	@Test
	void listenerHearsOfAnInformerBeforeItStarts() {
		List<InformerState> states = new CopyOnWriteArrayList<>();
		this.informers.addListener(new InformerListener() {

			@Override
			public void informerAdded(Informer<?> informer) {
				states.add(informer.state());
			}

		});
		this.informers.start();
		this.informers.informer(V1Pod.class);
		assertThat(states).containsExactly(InformerState.NEW);
	}

	@Test
	void listenerMayStartAgainOnTheFirstStop() throws InterruptedException {
		List<Informer<?>> both = startBoth();
		onFirstStop((informer) -> this.informers.start());
		this.informers.stop();
		assertThat(this.informers.isRunning()).isTrue();
		await().untilAsserted(() -> assertThat(both).extracting(Informer::state).containsOnly(InformerState.LIVE));
	}

	@Test
	void listenerMayWaitForAnotherThreadThatStops() throws InterruptedException {
		startBoth();
		AtomicReference<Throwable> failure = new AtomicReference<>(new AssertionError("not notified"));
		onFirstStop((informer) -> {
			try {
				CompletableFuture.runAsync(this.informers::stop).get(30, TimeUnit.SECONDS);
				failure.set(null);
			}
			catch (Exception ex) {
				failure.set(ex);
			}
		});
		this.informers.stop();
		assertThat(failure.get()).isNull();
	}

	@Test
	void slowListenerOfOneInformerDoesNotDelayTheStopOfTheNext() throws InterruptedException {
		List<Informer<?>> both = startBoth();
		onFirstStop((informer) -> {
			this.delivered.countDown();
			awaitGate();
		});
		CompletableFuture<Void> stop = CompletableFuture.runAsync(this.informers::stop);
		assertThat(this.delivered.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(both).extracting(Informer::state).containsOnly(InformerState.STOPPED);
		assertThat(stop).isNotDone();
		this.gate.countDown();
		assertThat(stop).succeedsWithin(LONG);
	}

	@Test
	void listenerMayStartAnInformerThatIsStoppedByItself() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.run();
		assertThat(pods.awaitSync(LONG)).isTrue();
		onFirstStop((informer) -> pods.run());
		pods.stop();
		await().untilAsserted(() -> assertThat(pods.state()).isEqualTo(InformerState.LIVE));
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void slowListenerOfAListDoesNotDelayTheSyncOfOthers(ListMode mode) throws InterruptedException {
		this.api.resources(V1Pod.class).create(pod("web", "a"));
		assertOthersSync(mode, new InformerListener() {

			@Override
			public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
				tell(informer);
			}

		});
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void slowListenerOfAListThatFailedDoesNotDelayTheSyncOfOthers(ListMode mode) throws InterruptedException {
		this.api.faults().on(Requests.of("pods")).times(1).status(500);
		assertOthersSync(mode, new InformerListener() {

			@Override
			public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
				tell(informer);
			}

		});
	}

	/**
	 * With one slot that is never lent on.
	 */
	private void assertOthersSync(ListMode mode, InformerListener listener) throws InterruptedException {
		try (Informers bounded = informers(this.api.url(), (
				builder) -> builder.concurrentSyncs(1).timings(withPatientSlots()).listMode(mode).listener(listener))) {
			Informer<V1Pod> slow = bounded.informer(V1Pod.class);
			// Who starts may have to notify the listener, too.
			CompletableFuture.runAsync(bounded::start);
			assertThat(this.delivered.await(30, TimeUnit.SECONDS)).isTrue();
			Informer<V1ConfigMap> other = bounded.informer(V1ConfigMap.class);
			assertThat(other.awaitSync(Duration.ofSeconds(30))).isTrue();
			this.gate.countDown();
			await().until(() -> slow.state() == InformerState.LIVE);
		}
		finally {
			this.gate.countDown();
		}
	}

	@Test
	void handlerGetsNoEventBeforeTheListenersKnowIt() throws InterruptedException {
		Informer<V1Pod> pods = startWithAPod();
		List<String> handled = new CopyOnWriteArrayList<>();
		AtomicReference<HandlerStatus> before = new AtomicReference<>();
		onHandlerAdded((handler) -> {
			this.api.resources(V1Pod.class).create(pod("web", "b"));
			await().until(() -> pods.snapshot().size() == 2);
			before.set(handler.status());
		});
		pods.addHandler((event) -> handled.add(event.object().getMetadata().getName()), HandlerOptions.defaults());
		assertThat(before.get().queue().size() + before.get().deliveries().processed()).isZero();
		await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("a", "b"));
	}

	@Test
	void handlerThatAListenerClosesAtOnceGetsNothing() throws InterruptedException {
		Informer<V1Pod> pods = startWithAPod();
		List<String> handled = new CopyOnWriteArrayList<>();
		onHandlerAdded(HandlerRegistration::close);
		HandlerRegistration handler = pods.addHandler((event) -> handled.add("closed"), HandlerOptions.defaults());
		assertThat(pods.handlers()).isEmpty();
		CountDownLatch others = new CountDownLatch(2);
		pods.addHandler((event) -> others.countDown(), HandlerOptions.defaults());
		this.api.resources(V1Pod.class).create(pod("web", "b"));
		assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(handler.status().queue().size()).isZero();
		assertThat(handled).isEmpty();
	}

	private Informer<V1Pod> startWithAPod() throws InterruptedException {
		this.api.resources(V1Pod.class).create(pod("web", "a"));
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		return pods;
	}

	private void onHandlerAdded(Consumer<HandlerRegistration> action) {
		this.informers.addListener(new InformerListener() {

			@Override
			public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
				SlowListenerTests.this.informers.removeListener(this);
				action.accept(handler);
			}

		});
	}

	private void tell(Informer<?> informer) {
		if (informer.spec().type().objectClass() == V1Pod.class) {
			this.delivered.countDown();
			awaitGate();
		}
	}

	private List<Informer<?>> startBoth() throws InterruptedException {
		List<Informer<?>> both = List.of(this.informers.informer(V1Pod.class),
				this.informers.informer(V1ConfigMap.class));
		this.informers.start();
		for (Informer<?> each : both) {
			assertThat(each.awaitSync(LONG)).isTrue();
		}
		return both;
	}

	private void onFirstStop(Consumer<Informer<?>> action) {
		this.informers.addListener(new InformerListener() {

			@Override
			public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
				if (now == InformerState.STOPPED) {
					SlowListenerTests.this.informers.removeListener(this);
					action.accept(informer);
				}
			}

		});
	}

	private void awaitGate() {
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
