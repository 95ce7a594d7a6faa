package dev.kubeinformer.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.internal.dispatch.HandlerDispatcher;
import dev.kubeinformer.internal.dispatch.ResyncSchedule;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.text.LogContext;

/**
 * Measures the first full state while a handler does not process it: one handler sleeps
 * in its first event, another is held back, for example by the leader for which it waits.
 * Before the handler continues, all objects change once, and are once replaced by others.
 * Then it measures the memory of a resync in the middle of its period.
 */
public final class HandlerBacklog {

	private final int count;

	/** Shared instance, whose size does not matter. */
	private final V1Pod pod = new V1Pod();

	private final ObjectStore<V1Pod> store = new ObjectStore<>(Set.of(""));

	private HandlerBacklog(int count) {
		this.count = count;
	}

	/**
	 * Runs the measurement.
	 * @param arguments the number of objects; 200000 by default
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String... arguments) throws InterruptedException {
		new HandlerBacklog((arguments.length > 0) ? Integer.parseInt(arguments[0]) : 200_000).run();
	}

	private void run() throws InterruptedException {
		list(0, 1);
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
		long cache = live();
		CountDownLatch asleep = new CountDownLatch(1);
		HandlerDispatcher<V1Pod> sleeping = dispatcher(asleep);
		sleeping.start(timer);
		add(sleeping);
		print("a handler that sleeps", live() - cache);
		asleep.countDown();
		sleeping.awaitSync(Duration.ofMinutes(5));
		print("the same when it has taken all", live() - cache);
		this.store.removeSink(sleeping.sink());
		sleeping.close(Duration.ZERO);

		HandlerDispatcher<V1Pod> held = dispatcher(asleep);
		held.hold(true);
		held.start(timer);
		add(held);
		print("a handler that is held back", live() - cache);
		list(0, 2);
		print("the same when each object has changed", live() - cache);
		list(this.count, 3);
		print("the same when each object is another", live() - cache);
		held.hold(false);
		long start = System.nanoTime();
		held.awaitSync(Duration.ofMinutes(5));
		while (held.status().queue().size() > 0) {
			TimeUnit.MILLISECONDS.sleep(10);
		}
		System.out.printf("%d ms to take all%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
		print("the same when it has taken all", live() - cache);
		held.close(Duration.ZERO);
		resync(timer, cache);
		timer.shutdownNow();
	}

	private void resync(ScheduledExecutorService timer, long cache) throws InterruptedException {
		AtomicLong clock = new AtomicLong();
		AtomicLong due = new AtomicLong();
		ResyncSchedule<V1Pod> schedule = new ResyncSchedule<>(this.store, new DeltaSink<>() {

			@Override
			public void delta(Delta<V1Pod> delta) {
				throw new IllegalStateException("not attached");
			}

			@Override
			public void resync(StoredObject<V1Pod> object) {
				due.incrementAndGet();
			}

			@Override
			public void initialStateComplete() {
				throw new IllegalStateException("not attached");
			}

			@Override
			public void initialStateReset() {
				throw new IllegalStateException("not attached");
			}

		}, Duration.ofHours(10), timer, clock::get);
		clock.set(Duration.ofHours(15).toNanos());
		while (due.get() < this.count / 2) {
			TimeUnit.MILLISECONDS.sleep(10);
		}
		print("a resync in the middle of its period", live() - cache);
		schedule.cancel();
	}

	private void add(HandlerDispatcher<V1Pod> dispatcher) {
		long start = System.nanoTime();
		this.store.addSink(dispatcher.sink());
		System.out.printf("%d ms to add it%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
	}

	private void list(int first, int version) {
		List<StoredObject<V1Pod>> objects = new ArrayList<>();
		for (int i = first; i < first + this.count; i++) {
			objects.add(new StoredObject<>("namespace-" + i % 100, "pod-" + i, "uid-" + i,
					Integer.toString(version * 10_000_000 + i), this.pod));
		}
		this.store.writer("").replace(objects, List.of(), false, Integer.toString(version * 10_000_000), false);
	}

	private void print(String what, long bytes) {
		System.out.printf("%9.1f bytes an object: %s%n", bytes / (double) this.count, what);
	}

	private static HandlerDispatcher<V1Pod> dispatcher(CountDownLatch asleep) {
		return new HandlerDispatcher<>((event) -> asleep.await(), HandlerOptions.defaults(), new SilentListener<>(),
				new HandlerDispatcher.Context("default", Thread::new, System::nanoTime,
						LogContext.ofHandler("test", "pods", "default")));
	}

	private static long live() {
		System.gc();
		// Memory after the collection, without later allocations.
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
			.mapToLong((pool) -> pool.getCollectionUsage().getUsed())
			.sum();
	}

}
