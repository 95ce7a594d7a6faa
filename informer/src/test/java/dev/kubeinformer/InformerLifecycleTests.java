package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Starts that fail, hang or meet a stop: the caller gets the exception, nothing
 * half-started remains, and no thread waits forever.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InformerLifecycleTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final InformerSpec<V1Pod> PODS = InformerSpec.of(V1Pod.class);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	/** Action of the supplier of the client before it returns one. */
	private final AtomicReference<Callable<?>> onSupply = new AtomicReference<>(() -> null);

	private final Informers informers = Informers.builder(this::client).timings(EngineTestSupport.FAST).build();

	private final CountDownLatch gate = new CountDownLatch(1);

	private final ExecutorService others = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.gate.countDown();
		this.others.shutdown();
		this.informers.close();
		this.api.close();
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void informerWhoseClientFailsOnceLeavesNothingAndComesWithTheNextCall() throws InterruptedException {
		this.informers.start();
		this.onSupply.set(InformerLifecycleTests::fail);
		assertThatIllegalStateException().isThrownBy(() -> this.informers.informer(PODS)).withMessage("no client");
		assertThatIllegalStateException().isThrownBy(() -> this.informers.lease(PODS)).withMessage("no client");
		assertThat(this.informers.all()).isEmpty();
		this.onSupply.set(() -> null);
		try (InformerLease<V1Pod> lease = this.informers.lease(PODS)) {
			assertThat(lease.informer().awaitSync(LONG)).isTrue();
		}
		assertThat(this.informers.all()).isEmpty();
		assertThat(this.informers.informer(PODS).awaitSync(LONG)).isTrue();
	}

	@Test
	void startWhoseClientFailsCanBeRepeated() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(PODS);
		this.onSupply.set(InformerLifecycleTests::fail);
		assertThatIllegalStateException().isThrownBy(this.informers::start).withMessage("no client");
		assertThat(this.informers.isRunning()).isFalse();
		this.onSupply.set(() -> null);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
	}

	@Test
	void allWhoWaitForTheClientGetTheExceptionOfOneCall() throws Exception {
		this.informers.start();
		AtomicInteger calls = new AtomicInteger();
		this.onSupply.set(() -> {
			calls.incrementAndGet();
			this.gate.await();
			return fail();
		});
		CompletionService<Object> waiting = new ExecutorCompletionService<>(this.others);
		List<Thread> threads = new CopyOnWriteArrayList<>();
		for (InformerSpec<?> spec : List.of(PODS, PODS, InformerSpec.of(V1Node.class))) {
			waiting.submit(() -> {
				threads.add(Thread.currentThread());
				return this.informers.lease(spec);
			});
		}
		await()
			.until(() -> calls.get() == 1 && threads.stream().filter(InformerLifecycleTests::isWaiting).count() == 3);
		// No lock is held meanwhile.
		assertThat(this.informers.isRunning()).isTrue();
		this.informers.hooks().checkClient((client) -> {
		});
		this.gate.countDown();
		for (int i = 0; i < 3; i++) {
			Future<Object> done = waiting.take();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(done::get)
				.withMessageContaining("no client");
		}
		assertThat(calls).hasValue(1);
		assertThat(this.informers.all()).isEmpty();
	}

	private static boolean isWaiting(Thread thread) {
		return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
	}

	@Test
	void stopDoesNotWaitForAHangingSupplier() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		this.onSupply.set(() -> {
			entered.countDown();
			this.gate.await();
			return null;
		});
		Informer<V1Pod> pods = this.informers.informer(PODS);
		Future<?> starting = this.others.submit(() -> this.informers.start());
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		Future<Informer<V1Node>> asking = this.others.submit(() -> this.informers.informer(V1Node.class));
		await().until(() -> this.informers.all().size() == 2);
		Future<?> stopping = this.others.submit(() -> this.informers.stop());
		stopping.get(30, TimeUnit.SECONDS);
		assertThat(asking.get(30, TimeUnit.SECONDS).state()).isEqualTo(InformerState.NEW);
		this.gate.countDown();
		starting.get(30, TimeUnit.SECONDS);
		assertThat(this.informers.isRunning()).isFalse();
		assertThat(pods.state()).isEqualTo(InformerState.NEW);
		this.onSupply.set(() -> null);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(asking.get().awaitSync(LONG)).isTrue();
	}

	@Test
	void checkThatHangsHoldsNobodyUp() throws Exception {
		this.informers.informer(PODS);
		this.informers.start();
		CountDownLatch entered = new CountDownLatch(1);
		Future<?> checking = this.others.submit(() -> this.informers.hooks().checkClient((client) -> {
			entered.countDown();
			awaitGate();
		}));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.others.submit((Callable<Informer<V1Node>>) () -> this.informers.informer(V1Node.class))
			.get(30, TimeUnit.SECONDS)
			.awaitSync(LONG)).isTrue();
		this.others.submit(() -> this.informers.stop()).get(30, TimeUnit.SECONDS);
		this.gate.countDown();
		checking.get(30, TimeUnit.SECONDS);
	}

	@Test
	void supplierThatStartsInformersIsNamedInsteadOfWaitingForItself() {
		this.onSupply.set(() -> this.informers.informer(PODS));
		this.informers.start();
		assertThatIllegalStateException().isThrownBy(() -> this.informers.informer(PODS))
			.withMessageContaining("supplier");
	}

	@Test
	void informerThatCannotBeStartedDoesNotKeepOthersFromItAndTheNextStartTriesAgain() throws InterruptedException {
		AtomicBoolean threads = new AtomicBoolean();
		Informer<V1Pod> pods = this.informers.informer(PODS);
		Recorder<V1Pod> before = new Recorder<>();
		pods.addHandler(before, HandlerOptions.defaults());
		HandlerRegistration second = pods.addHandler(new Recorder<>(),
				HandlerOptions.defaults().withConcurrency(2).withThreadFactory((work) -> {
					if (!threads.get()) {
						throw new InternalError("unable to create native thread");
					}
					return new Thread(work);
				}));
		Informer<V1Node> nodes = this.informers.informer(V1Node.class);
		assertThatExceptionOfType(InternalError.class).isThrownBy(this.informers::start)
			.withMessage("unable to create native thread");
		assertThat(nodes.awaitSync(LONG)).isTrue();
		assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
		await().untilAsserted(() -> assertThat(engineThreads()).noneMatch((name) -> name.contains("pods")));
		assertThatExceptionOfType(InternalError.class).isThrownBy(this.informers::start);
		threads.set(true);
		this.api.resources(V1Pod.class).create(pod("blog", "a"));
		this.informers.start();
		assertThat(second.awaitSync(LONG)).isTrue();
		await().untilAsserted(() -> assertThat(before.delivered()).containsExactly("+a"));
	}

	@Test
	void whoAsksForAnInformerThatCouldNotBeStartedStartsIt() throws InterruptedException {
		AtomicBoolean threads = new AtomicBoolean();
		Informer<V1Pod> pods = this.informers.informer(PODS);
		pods.addHandler(new Recorder<>(),
				HandlerOptions.defaults().withThreadFactory((work) -> threads.get() ? new Thread(work) : null));
		assertThatExceptionOfType(NullPointerException.class).isThrownBy(this.informers::start)
			.withMessage("The thread factory of handler 'pods-handler-1' created no thread");
		threads.set(true);
		assertThat(this.informers.informer(PODS)).isSameAs(pods);
		assertThat(pods.awaitSync(LONG)).isTrue();
	}

	@Test
	void handlerThatCannotBeAddedIsGone() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(PODS);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		AtomicReference<HandlerRegistration> added = new AtomicReference<>();
		this.informers.addListener(new InformerListener() {

			@Override
			public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
				added.set(handler);
			}

		});
		assertThatIllegalStateException()
			.isThrownBy(() -> pods.addHandler(new Recorder<>(), HandlerOptions.defaults().withThreadFactory((work) -> {
				throw new IllegalStateException("no threads");
			})))
			.withMessage("no threads");
		assertThat(pods.handlers()).isEmpty();
		this.api.resources(V1Pod.class).create(pod("blog", "a"));
		await().until(() -> pods.snapshot().size() == 1);
		assertThat(added.get().status().queue().size()).isZero();
		assertThat(pods.state()).isEqualTo(InformerState.LIVE);
	}

	@Test
	void leaseThatIsClosedWhileAllStartDoesNotKeepTheOthersFromIt() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(PODS);
		InformerLease<V1Node> lease = this.informers.lease(InformerSpec.of(V1Node.class));
		Informer<V1Pod> others = this.informers.informer(PODS.withNamespaces("other"));
		AtomicBoolean closed = new AtomicBoolean();
		pods.addHandler(new Recorder<>(), HandlerOptions.defaults().withThreadFactory((work) -> {
			if (closed.compareAndSet(false, true)) {
				lease.close();
			}
			return new Thread(work);
		}));
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(others.awaitSync(LONG)).isTrue();
		assertThat(lease.informer().state()).isEqualTo(InformerState.NEW);
	}

	@Test
	void informerDoesNotStartAfterItsRetirement() throws Exception {
		for (int i = 0; i < 20; i++) {
			InformerLease<V1Pod> lease = this.informers.lease(PODS);
			CountDownLatch ready = new CountDownLatch(1);
			Future<?> running = this.others.submit(() -> {
				ready.countDown();
				try {
					lease.informer().run();
				}
				catch (IllegalStateException ex) {
					assertThat(ex).hasMessageEndingWith("and cannot be started again");
				}
			});
			ready.await();
			lease.close();
			running.get(30, TimeUnit.SECONDS);
			assertThat(lease.informer().state()).isIn(InformerState.NEW, InformerState.STOPPED);
		}
	}

	@Test
	void whoeverWaitsForTheSyncIsSentAwayByAStop() throws Exception {
		this.api.faults().on(Requests.any()).status(500);
		Informer<V1Pod> pods = this.informers.informer(PODS);
		HandlerRegistration handler = pods.addHandler(new Recorder<>(), HandlerOptions.defaults());
		assertSentAway(pods, handler, this.informers::stop);
		this.informers.start();
		assertSentAway(pods, handler, this.informers::stop);
		this.informers.start();
		assertSentAway(pods, handler, pods::stop);
		this.api.faults().clear();
		pods.run();
		assertThat(handler.awaitSync(LONG)).isTrue();
	}

	@Test
	void whoeverWaitsForTheSyncIsSentAwayByTheEndOfALease() throws Exception {
		this.api.faults().on(Requests.any()).status(500);
		this.informers.start();
		InformerLease<V1Pod> lease = this.informers.lease(PODS);
		HandlerRegistration handler = lease.informer().addHandler(new Recorder<>(), HandlerOptions.defaults());
		assertSentAway(lease.informer(), handler, lease::close);
		assertThat(lease.informer().awaitSync(LONG)).isFalse();
		assertThat(lease.informer().awaitResourceVersion("1000", LONG)).isFalse();
		assertThat(handler.awaitSync(LONG)).isFalse();
	}

	private void assertSentAway(Informer<?> informer, HandlerRegistration handler, Runnable end) throws Exception {
		List<Thread> threads = new CopyOnWriteArrayList<>();
		List<Callable<Boolean>> waits = List.of(() -> informer.awaitSync(Duration.ofDays(1)),
				() -> handler.awaitSync(Duration.ofDays(1)));
		List<Future<Boolean>> waiting = waits.stream().map((wait) -> this.others.submit(() -> {
			threads.add(Thread.currentThread());
			return wait.call();
		})).toList();
		await().until(() -> threads.stream()
			.filter((thread) -> thread.getState() == Thread.State.TIMED_WAITING)
			.count() == 2);
		end.run();
		for (Future<Boolean> each : waiting) {
			assertThat(each.get(30, TimeUnit.SECONDS)).isFalse();
		}
	}

	private ApiClient client() {
		try {
			this.onSupply.get().call();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return EngineTestSupport.client(this.api.url());
	}

	private static Object fail() {
		throw new IllegalStateException("no client");
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
