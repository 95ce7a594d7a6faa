package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spi.DeliveryFence;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static dev.kubeinformer.EngineTestSupport.informers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that get events only while their process leads.
 */
class LeaderOnlyHandlerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<V1ConfigMap> maps = this.kubernetes.resources(V1ConfigMap.class);

	private final ScriptedLeadership leadership = new ScriptedLeadership();

	private final Informers informers = informers(this.kubernetes.url());

	private final Informer<V1ConfigMap> informer = this.informers
		.informer(InformerSpec.of(V1ConfigMap.class).withNamespaces("web"));

	private final MapHandler handler = new MapHandler();

	private final HandlerOptions options = HandlerOptions.defaults()
		.withId("maps")
		.withDrainTimeout(Duration.ofSeconds(20))
		.withLeadership(this.leadership);

	@AfterEach
	void close() {
		this.handler.go.countDown();
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void standbyHasAFilledCacheAndGetsNoEvents() throws InterruptedException {
		create("one");
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		assertThat(maps.isStandby()).isTrue();
		assertThat(maps.hasSynced()).isTrue();
		assertThat(maps.status().sync().synced()).isTrue();
		assertThat(maps.status().sync().everSynced()).isTrue();
		assertThat(this.informer.handlers()).isEmpty();
		assertThat(this.handler.added).isEmpty();
	}

	@Test
	void newLeaderGetsTheStateAsInitialAdditions() throws InterruptedException {
		create("one");
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.maps.delete("web", "one");
		create("two");
		await().until(() -> this.informer.snapshot().get("web", "two") != null);
		this.leadership.grant();
		assertThat(maps.isStandby()).isFalse();
		assertThat(maps.awaitSync(LONG)).isTrue();
		assertThat(this.informer.handlers()).containsExactly(maps);
		assertThat(this.handler.added).containsExactly("two initial");
		assertThat(this.handler.deleted).isEmpty();
		this.maps.delete("web", "two");
		await().until(() -> this.handler.deleted.equals(List.of("two")));
	}

	@Test
	void handlerThatIsAddedInATermTakesPartAtOnce() throws InterruptedException {
		create("one");
		this.leadership.grant();
		HandlerRegistration maps = start(this.options);
		assertThat(maps.isStandby()).isFalse();
		assertThat(maps.awaitSync(LONG)).isTrue();
		assertThat(this.handler.added).containsExactly("one initial");
	}

	@Test
	void processThatIsAloneAlwaysDelivers() throws InterruptedException {
		create("one");
		HandlerRegistration maps = start(this.options.withLeadership(LeaderElector.always()));
		assertThat(maps.awaitSync(LONG)).isTrue();
		assertThat(this.handler.added).containsExactly("one initial");
	}

	@Test
	void everyTermBeginsWithTheState() throws InterruptedException {
		create("one");
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.leadership.grant();
		await().until(() -> this.handler.added.size() == 1);
		assertThat(this.leadership.drain()).isTrue();
		this.leadership.release();
		assertThat(maps.isStandby()).isTrue();
		assertThat(maps.status().deliveries().processed()).isOne();
		create("two");
		await().until(() -> this.informer.snapshot().get("web", "two") != null);
		this.leadership.grant();
		await().until(() -> this.handler.added.size() == 3);
		assertThat(this.handler.added).containsExactlyInAnyOrder("one initial", "one initial", "two initial");
	}

	@Test
	void drainWaitsForTheEventThatIsBeingHandled() throws InterruptedException {
		this.handler.block = true;
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.leadership.grant();
		create("one");
		this.handler.awaitEntered();
		Thread release = new Thread(() -> {
			await().until(maps::isStandby);
			this.handler.go.countDown();
		});
		release.start();
		assertThat(this.leadership.drain()).isTrue();
		assertThat(this.handler.interrupted).isFalse();
		assertThat(this.handler.added).containsExactly("one");
		release.join();
	}

	@Test
	void drainHandlesWhatWaits() throws InterruptedException {
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.handler.block = true;
		this.leadership.grant();
		create("one");
		this.handler.awaitEntered();
		create("two");
		await().until(() -> maps.status().queue().size() == 1);
		Thread release = new Thread(() -> {
			await().until(maps::isStandby);
			this.handler.go.countDown();
		});
		release.start();
		assertThat(this.leadership.drain()).isTrue();
		assertThat(this.handler.added).containsExactly("one", "two");
		release.join();
	}

	@Test
	void workThatDoesNotEndIsNotReleased() throws InterruptedException {
		this.handler.blockForGood();
		start(this.options.withDrainTimeout(Duration.ofMillis(100)));
		this.leadership.grant();
		create("one");
		this.handler.awaitEntered();
		assertThat(this.leadership.drain()).isFalse();
		this.handler.go.countDown();
		await().until(this.leadership::drain);
	}

	@Test
	void closedHandlerThatDoesNotEndKeepsTheLease() throws InterruptedException {
		this.handler.blockForGood();
		HandlerRegistration maps = start(this.options.withDrainTimeout(Duration.ofMillis(100)));
		this.leadership.grant();
		create("one");
		this.handler.awaitEntered();
		maps.close();
		assertThat(this.leadership.drain()).isFalse();
		assertThat(this.leadership.works).hasSize(1);
		assertThat(this.leadership.awaiting()).isEmpty();
		this.handler.go.countDown();
		await().until(this.leadership::drain);
		await().until(this.leadership.works::isEmpty);
		assertThat(maps.isStandby()).isFalse();
	}

	@Test
	void closedHandlerKeepsTheLeaseUntilWhatWaitsIsHandled() throws InterruptedException {
		CountDownLatch second = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		this.handler.block = true;
		this.handler.action = () -> {
			if (!this.handler.added.isEmpty()) {
				second.countDown();
				awaitUninterrupted(end);
			}
		};
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.leadership.grant();
		create("one");
		this.handler.awaitEntered();
		create("two");
		await().until(() -> maps.status().queue().size() == 1);
		Thread closing = new Thread(maps::close);
		closing.start();
		await().until(() -> this.informer.handlers().isEmpty());
		this.handler.go.countDown();
		assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.leadership.works).hasSize(1);
		end.countDown();
		closing.join();
		assertThat(this.handler.added).containsExactly("one", "two");
		assertThat(this.leadership.works).isEmpty();
	}

	@Test
	void handlerMayCloseItself() throws InterruptedException {
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.handler.action = maps::close;
		this.leadership.grant();
		create("one");
		await().until(this.leadership.works::isEmpty);
		assertThat(this.handler.added).containsExactly("one");
		assertThat(this.informer.handlers()).isEmpty();
	}

	@Test
	void handlerThatIsReplacedAtAGrantDoesNotDetachTheNext() throws InterruptedException {
		create("one");
		HandlerRegistration first = start(this.options);
		assertThat(first.awaitSync(LONG)).isTrue();
		AtomicBoolean replaced = new AtomicBoolean();
		this.informers.addListener(new InformerListener() {

			@Override
			public void handlerAdded(Informer<?> informer, HandlerRegistration added) {
				if (replaced.compareAndSet(false, true)) {
					first.close();
					LeaderOnlyHandlerTests.this.informer.addHandler(LeaderOnlyHandlerTests.this.handler,
							LeaderOnlyHandlerTests.this.options);
				}
			}

		});
		this.leadership.grant();
		assertThat(replaced).isTrue();
		assertThat(this.informer.handlers()).hasSize(1).doesNotContain(first);
		assertThat(this.leadership.works).hasSize(1);
		await().until(() -> !this.handler.added.isEmpty());
	}

	@Test
	void lossInterruptsTheHandlerAndWaitsForNothing() throws InterruptedException {
		AtomicInteger exhausted = new AtomicInteger();
		List<String> observed = new CopyOnWriteArrayList<>();
		this.handler.block = true;
		HandlerRegistration maps = start(this.options.withExhausted((event, cause) -> exhausted.incrementAndGet())
			.withObserver((event) -> new Outcome(observed)));
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.leadership.grant();
		create("one");
		this.handler.awaitEntered();
		create("two");
		this.leadership.lose();
		assertThat(maps.isStandby()).isTrue();
		await().untilTrue(this.handler.interrupted);
		assertThat(this.handler.added).isEmpty();
		await().until(this.leadership::drain);
		assertThat(maps.status().deliveries().processed()).isZero();
		assertThat(maps.status().deliveries().failed()).isZero();
		assertThat(maps.status().lastError()).isNull();
		assertThat(exhausted).hasValue(0);
		await().until(() -> observed.contains("closed"));
		assertThat(observed).startsWith("InterruptedException", "closed").doesNotContain("returned");
	}

	@Test
	void eventsAfterTheTermByTheClocksAreDropped() throws InterruptedException {
		List<String> observed = new CopyOnWriteArrayList<>();
		HandlerRegistration maps = start(this.options.withObserver((event) -> new Outcome(observed)));
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.leadership.grant();
		create("one");
		await().until(() -> this.handler.added.size() == 1);
		await().until(() -> maps.status().deliveries().processed() == 1);
		this.leadership.expire();
		create("two");
		await().until(() -> observed.size() == 3);
		assertThat(observed).containsExactly("returned", "closed", "closed");
		assertThat(this.handler.added).containsExactly("one");
		assertThat(maps.status().deliveries().processed()).isOne();
		assertThat(maps.status().deliveries().failed()).isZero();
		await().until(() -> maps.status().queue().size() == 0 && maps.status().handling() == null);
	}

	@Test
	void deliveryThatWaitedBeforeUserCodeSeesTheEndOfItsTerm() throws InterruptedException {
		DeliveryFence fence = new DeliveryFence(this.leadership::isLeader);
		List<Boolean> admitted = new CopyOnWriteArrayList<>();
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		this.informer.addHandler((EventHandler<V1ConfigMap>) (event) -> {
			admitted.add(fence.admits());
			entered.countDown();
			awaitUninterrupted(go);
			admitted.add(fence.admits());
		}, this.options.withFence(fence));
		this.informers.start();
		assertThat(this.informer.awaitSync(LONG)).isTrue();
		this.leadership.grant();
		create("one");
		assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
		this.leadership.lose();
		this.maps.delete("web", "one");
		await().until(() -> this.informer.snapshot().get("web", "one") == null);
		// It is another term, in which this process leads.
		this.leadership.grant();
		go.countDown();
		await().until(() -> admitted.size() == 2);
		assertThat(admitted).containsExactly(true, false);
		assertThat(fence.admits()).isTrue();
	}

	@Test
	void retryIsDroppedWithItsTerm() throws InterruptedException {
		HandlerRegistration maps = start(this.options
			.withRetry(RetryBackoff.exponential(5, Duration.ofMinutes(5), 1, Duration.ofMinutes(5), Duration.ZERO)));
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.handler.action = () -> {
			throw new IllegalStateException("as the test wants it");
		};
		this.leadership.grant();
		create("one");
		await().until(() -> maps.status().queue().waitingForRetry() == 1);
		this.handler.action = () -> {
		};
		assertThat(this.leadership.drain()).isTrue();
		this.leadership.release();
		assertThat(maps.status().queue().size()).isZero();
		assertThat(maps.status().lastError()).isNotNull();
		this.leadership.grant();
		await().until(() -> this.handler.added.equals(List.of("one initial")));
		assertThat(maps.status().queue().waitingForRetry()).isZero();
	}

	@Test
	void resyncBelongsToATerm() throws InterruptedException {
		create("one");
		HandlerRegistration maps = start(this.options.withResync(Duration.ofMillis(100)));
		assertThat(maps.awaitSync(LONG)).isTrue();
		maps.resync();
		this.leadership.grant();
		await().until(() -> this.handler.resyncs.get() > 1);
		assertThat(this.leadership.drain()).isTrue();
		this.leadership.release();
		int seen = this.handler.resyncs.get();
		this.leadership.grant();
		await().until(() -> this.handler.resyncs.get() > seen);
	}

	@Test
	void pauseOfAStandbyHoldsInTheNextTerm() throws InterruptedException {
		create("one");
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		maps.pause();
		assertThat(maps.status().paused()).isTrue();
		maps.resync();
		this.leadership.grant();
		await().until(() -> maps.status().queue().size() == 1);
		assertThat(this.handler.added).isEmpty();
		maps.resume();
		await().until(() -> this.handler.added.size() == 1);
	}

	@Test
	void closedHandlerGetsNothingAtAGrant() throws InterruptedException {
		create("one");
		HandlerRegistration maps = start(this.options);
		assertThat(maps.awaitSync(LONG)).isTrue();
		maps.close();
		assertThat(maps.isStandby()).isFalse();
		assertThat(maps.hasSynced()).isFalse();
		assertThat(this.leadership.works).isEmpty();
		this.leadership.grant();
		assertThat(this.informer.handlers()).isEmpty();
	}

	@Test
	void candidateWaitsForTheCacheThatIsBeingFilled() throws InterruptedException {
		Fault fault = this.kubernetes.faults().on(Requests.list("configmaps")).freeze();
		HandlerRegistration maps = start(this.options);
		await().until(() -> this.leadership.awaiting().equals(List.of(this.informer.id())));
		fault.remove();
		this.kubernetes.dropConnections();
		await().until(() -> this.leadership.awaiting().isEmpty());
		assertThat(maps.awaitSync(LONG)).isTrue();
	}

	@Test
	void informerThatIsClosedWithItsLastLeaseEndsThePart() throws InterruptedException {
		try (InformerLease<V1ConfigMap> lease = this.informers
			.lease(InformerSpec.of(V1ConfigMap.class).withNamespaces("shop"))) {
			HandlerRegistration maps = lease.informer().addHandler(this.handler, this.options);
			lease.informer().run();
			assertThat(maps.awaitSync(LONG)).isTrue();
			assertThat(this.leadership.works).hasSize(1);
		}
		assertThat(this.leadership.works).isEmpty();
	}

	@Test
	void handlerOfAnInformerThatWasClosedTakesNoPart() {
		InformerLease<V1ConfigMap> lease = this.informers
			.lease(InformerSpec.of(V1ConfigMap.class).withNamespaces("shop"));
		lease.close();
		HandlerRegistration maps = lease.informer().addHandler(this.handler, this.options);
		assertThat(this.leadership.works).isEmpty();
		assertThat(maps.isStandby()).isFalse();
	}

	@Test
	void listenersAreToldOfEachTerm() throws InterruptedException {
		List<String> told = new CopyOnWriteArrayList<>();
		HandlerRegistration maps = start(this.options);
		this.informers.addListener(new InformerListener() {

			@Override
			public void handlerAdded(Informer<?> informer, HandlerRegistration added) {
				told.add("added " + (added == maps));
			}

			@Override
			public void handlerSynced(Informer<?> informer, HandlerRegistration synced, Duration duration) {
				told.add("synced " + (synced == maps));
			}

			@Override
			public void handlerRemoved(Informer<?> informer, HandlerRegistration removed) {
				told.add("removed " + (removed == maps));
			}

		});
		assertThat(maps.awaitSync(LONG)).isTrue();
		this.leadership.grant();
		await().until(() -> told.equals(List.of("added true", "synced true")));
		assertThat(this.leadership.drain()).isTrue();
		assertThat(told).containsExactly("added true", "synced true", "removed true");
	}

	private HandlerRegistration start(HandlerOptions options) {
		HandlerRegistration registration = this.informer.addHandler(this.handler, options);
		this.informers.start();
		return registration;
	}

	private void create(String name) {
		this.maps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("web").name(name)).data(Map.of()));
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		while (true) {
			try {
				latch.await();
				return;
			}
			catch (InterruptedException ex) {
				// The test says when it ends.
			}
		}
	}

	/**
	 * Scope of a delivery that records its outcome.
	 *
	 * @param calls the calls so far
	 */
	private record Outcome(List<String> calls) implements DeliveryObserver.Scope {

		@Override
		public void handled(Throwable failure) {
			this.calls.add((failure != null) ? failure.getClass().getSimpleName() : "returned");
		}

		@Override
		public void close() {
			this.calls.add("closed");
		}

	}

	private static final class MapHandler implements EventHandler<V1ConfigMap> {

		private final List<String> added = new CopyOnWriteArrayList<>();

		private final List<String> deleted = new CopyOnWriteArrayList<>();

		private final AtomicInteger resyncs = new AtomicInteger();

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch go = new CountDownLatch(1);

		private final AtomicBoolean interrupted = new AtomicBoolean();

		private volatile boolean block;

		private volatile boolean ignoreInterrupts;

		private volatile Runnable action = () -> {
		};

		void blockForGood() {
			this.block = true;
			this.ignoreInterrupts = true;
		}

		void awaitEntered() throws InterruptedException {
			assertThat(this.entered.await(20, TimeUnit.SECONDS)).isTrue();
		}

		@Override
		public void handle(ResourceEvent<V1ConfigMap> event) throws InterruptedException {
			String name = event.object().getMetadata().getName();
			switch (event.type()) {
				case ADD -> {
					this.entered.countDown();
					if (this.block) {
						block();
					}
					this.action.run();
					this.added.add(name + (event.initial() ? " initial" : ""));
				}
				case UPDATE -> this.resyncs.incrementAndGet();
				case DELETE -> this.deleted.add(name);
			}
		}

		private void block() throws InterruptedException {
			while (true) {
				try {
					this.go.await();
					return;
				}
				catch (InterruptedException ex) {
					this.interrupted.set(true);
					if (!this.ignoreInterrupts) {
						throw ex;
					}
				}
			}
		}

	}

}
