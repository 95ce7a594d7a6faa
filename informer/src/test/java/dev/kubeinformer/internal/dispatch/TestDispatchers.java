package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.text.LogContext;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Dispatchers of one test, with the gate at which their handlers are blocked and what
 * these have handled. The test is over when all threads have ended and no retry is
 * scheduled.
 */
final class TestDispatchers implements AfterEachCallback {

	static final String CLUSTER = "test";

	static final LogContext LOG = LogContext.ofHandler("test", "pods", "default");

	private static final RetryBackoff NO_RETRY = RetryBackoff.none();

	private final List<HandlerDispatcher<Note>> dispatchers = new ArrayList<>();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final List<ClassLoader> loaders = new CopyOnWriteArrayList<>();

	private final List<String> handled = new CopyOnWriteArrayList<>();

	private final List<String> exhausted = new CopyOnWriteArrayList<>();

	private final List<String> interrupted = new CopyOnWriteArrayList<>();

	private final List<Integer> dropped = new CopyOnWriteArrayList<>();

	private final ManualTimer timer = new ManualTimer();

	private final CountDownLatch entered = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	@Override
	public void afterEach(ExtensionContext context) {
		release();
		this.dispatchers.forEach((dispatcher) -> dispatcher.close(Duration.ZERO));
		awaitThreads();
		// The tasks that idle workers left there are due at once.
		this.timer.advance(Duration.ZERO);
		assertThat(this.timer.scheduled()).isZero();
	}

	/**
	 * Starts a dispatcher of one worker, gives it events, and waits until its handler is
	 * blocked on the first of them.
	 * @param capacity the capacity of its queue
	 * @param events the events
	 * @return the dispatcher
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // the array is only read
	final HandlerDispatcher<Note> startBlocked(int capacity, Delta<Note>... events) {
		HandlerDispatcher<Note> dispatcher = start(this::block, 1, capacity);
		Arrays.stream(events).forEach(dispatcher.sink()::delta);
		awaitBlocked();
		return dispatcher;
	}

	HandlerDispatcher<Note> start(EventHandler<Note> handler, int concurrency, int capacity) {
		return start(handler, NO_RETRY, concurrency, capacity);
	}

	HandlerDispatcher<Note> start(EventHandler<Note> handler, RetryBackoff retry, int concurrency, int capacity) {
		HandlerDispatcher<Note> dispatcher = create(handler, retry, concurrency, capacity, new Outcomes());
		start(dispatcher);
		return dispatcher;
	}

	void start(HandlerDispatcher<Note> dispatcher) {
		dispatcher.start(this.timer);
	}

	/**
	 * Creates a dispatcher that does not run.
	 * @param handler the handler
	 * @param concurrency the number of workers
	 * @return the dispatcher
	 */
	HandlerDispatcher<Note> create(EventHandler<Note> handler, int concurrency) {
		return create(handler, concurrency, new Outcomes());
	}

	/**
	 * Creates a dispatcher whose handler uses it. It does not run.
	 * @param handler the handler
	 * @param concurrency the number of workers
	 * @return the dispatcher
	 */
	HandlerDispatcher<Note> createReentrant(ReentrantHandler handler, int concurrency) {
		AtomicReference<HandlerDispatcher<Note>> self = new AtomicReference<>();
		HandlerDispatcher<Note> dispatcher = create((event) -> handler.handle(self.get(), event), concurrency);
		self.set(dispatcher);
		return dispatcher;
	}

	HandlerDispatcher<Note> create(EventHandler<Note> handler, int concurrency, DeliveryListener<Note> listener) {
		return create(handler, NO_RETRY, concurrency, 1000, listener);
	}

	/**
	 * Creates a dispatcher whose workers end at once when they have nothing to do.
	 * @param handler the handler
	 * @param concurrency the number of workers
	 * @return the dispatcher
	 */
	HandlerDispatcher<Note> createIdle(EventHandler<Note> handler, int concurrency) {
		return createIdle(handler, NO_RETRY, concurrency, this::newThread);
	}

	private HandlerDispatcher<Note> createIdle(EventHandler<Note> handler, RetryBackoff retry, int concurrency,
			ThreadFactory factory) {
		HandlerDispatcher<Note> dispatcher = new HandlerDispatcher<>(handler,
				HandlerOptions.defaults().withConcurrency(concurrency).withQueueCapacity(1000).withRetry(retry),
				new Outcomes(),
				new HandlerDispatcher.Context(CLUSTER, factory, this.timer::nanoTime, Duration.ofMillis(1), LOG));
		this.dispatchers.add(dispatcher);
		return dispatcher;
	}

	/**
	 * Starts a dispatcher whose workers end at once when they have nothing to do, and
	 * waits until they have.
	 * @param handler the handler
	 * @param retry the retry
	 * @param concurrency the number of workers
	 * @param factory makes the workers' threads
	 * @return the dispatcher
	 */
	HandlerDispatcher<Note> startIdle(EventHandler<Note> handler, RetryBackoff retry, int concurrency,
			ThreadFactory factory) {
		HandlerDispatcher<Note> dispatcher = createIdle(handler, retry, concurrency, factory);
		start(dispatcher);
		awaitThreads();
		this.timer.advance(Duration.ZERO);
		return dispatcher;
	}

	HandlerDispatcher<Note> startIdle(EventHandler<Note> handler, int concurrency) {
		return startIdle(handler, NO_RETRY, concurrency, this::newThread);
	}

	private HandlerDispatcher<Note> create(EventHandler<Note> handler, RetryBackoff retry, int concurrency,
			int capacity, DeliveryListener<Note> listener) {
		HandlerDispatcher<Note> dispatcher = new HandlerDispatcher<>(handler,
				HandlerOptions.defaults().withConcurrency(concurrency).withQueueCapacity(capacity).withRetry(retry),
				listener, new HandlerDispatcher.Context(CLUSTER, this::newThread, this.timer::nanoTime, LOG));
		this.dispatchers.add(dispatcher);
		return dispatcher;
	}

	/**
	 * Creates a thread that has to end with the test.
	 * @param work what it does
	 * @return the thread
	 */
	Thread newThread(Runnable work) {
		return register(new Thread(work));
	}

	Thread register(Thread thread) {
		this.threads.add(thread);
		return thread;
	}

	/**
	 * Handles an event by recording it.
	 * @param event the event
	 */
	void record(ResourceEvent<Note> event) {
		this.loaders.add(Thread.currentThread().getContextClassLoader());
		this.handled.add(Events.describe(event));
	}

	/**
	 * Handles an event by recording it, once the gate is open.
	 * @param event the event
	 * @throws InterruptedException if the thread is interrupted
	 */
	void block(ResourceEvent<Note> event) throws InterruptedException {
		passGate();
		record(event);
	}

	/**
	 * Waits at the gate.
	 * @throws InterruptedException if the thread is interrupted
	 */
	void passGate() throws InterruptedException {
		this.entered.countDown();
		this.gate.await();
	}

	/**
	 * Waits until a thread waits at the gate.
	 */
	void awaitBlocked() {
		try {
			assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Opens the gate.
	 */
	void release() {
		this.gate.countDown();
	}

	/**
	 * Waits until the workers have ended after a drain.
	 * @param dispatcher the dispatcher
	 */
	static void end(HandlerDispatcher<Note> dispatcher) {
		dispatcher.awaitDrained();
		dispatcher.awaitEnd(System.nanoTime() + HandlerDispatcher.GRACE.toNanos());
	}

	void awaitThreads() {
		await().untilAsserted(() -> assertThat(this.threads).noneMatch(Thread::isAlive));
	}

	/**
	 * Returns the class loaders of the threads that recorded events.
	 * @return a class loader for each event
	 */
	List<ClassLoader> loaders() {
		return this.loaders;
	}

	List<Thread> threads() {
		return this.threads;
	}

	ManualTimer timer() {
		return this.timer;
	}

	List<String> handled() {
		return this.handled;
	}

	List<String> exhausted() {
		return this.exhausted;
	}

	List<String> interrupted() {
		return this.interrupted;
	}

	List<Integer> dropped() {
		return this.dropped;
	}

	/**
	 * Handler that calls its own dispatcher.
	 */
	@FunctionalInterface
	interface ReentrantHandler {

		void handle(HandlerDispatcher<Note> self, ResourceEvent<Note> event) throws Exception;

	}

	private final class Outcomes extends InactiveListener {

		@Override
		public void failed(ResourceEvent<Note> event, ObjectKey key, Throwable cause, Duration retry) {
			if (retry == null) {
				TestDispatchers.this.exhausted.add(Events.describe(event));
			}
		}

		@Override
		public void interrupted(ResourceEvent<Note> event, ObjectKey key) {
			TestDispatchers.this.interrupted.add(Events.describe(event));
		}

		@Override
		public void dropped(int events) {
			TestDispatchers.this.dropped.add(events);
		}

	}

}
