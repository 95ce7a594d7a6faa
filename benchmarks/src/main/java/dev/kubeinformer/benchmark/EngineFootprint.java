package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import javax.management.ObjectName;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.internal.dispatch.HandlerDispatcher;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.text.LogContext;
import dev.kubeinformer.types.ListReason;

/**
 * Measures the memory of the engine in addition to the objects: first of a store with one
 * handler that is fed without a server, by class; then of an informer while it lists the
 * same pods again.
 */
public final class EngineFootprint {

	private static final int LINES = 14;

	private EngineFootprint() {
	}

	/**
	 * Runs the measurement.
	 * @param arguments {@code store} or {@code relist}, the number of objects (200000 or
	 * 20000), and for a relist {@code large}, {@code small} or {@code labelled}
	 * @throws Exception if something fails
	 */
	public static void main(String... arguments) throws Exception {
		String part = (arguments.length > 0) ? arguments[0] : "store";
		int objects = (arguments.length > 1) ? Integer.parseInt(arguments[1]) : -1;
		if (part.equals("store")) {
			store((objects > 0) ? objects : 200_000);
		}
		else {
			relist((objects > 0) ? objects : 20_000, (arguments.length > 2) ? arguments[2] : "large");
		}
	}

	private static void store(int count) throws Exception {
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
		V1Pod pod = new V1Pod();
		List<StoredObject<V1Pod>> objects = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			objects.add(new StoredObject<>("namespace-" + i % 100, "pod-" + i, "uid-" + i, Integer.toString(i), pod));
		}
		Map<String, Long> before = histogram();
		ObjectStore<V1Pod> store = new ObjectStore<>(Set.of(""));
		HandlerDispatcher<V1Pod> dispatcher = dispatcher();
		store.addSink(dispatcher.sink());
		store.writer("").replace(objects, List.of(), false, "1", false);
		System.out.printf("%d objects, all of them in the queue%n", count);
		difference(before, histogram(), count);
		dispatcher.start(timer);
		if (!dispatcher.awaitSync(Duration.ofMinutes(1))) {
			throw new IllegalStateException("No sync");
		}
		System.out.printf("%d objects, all of them handled%n", count);
		difference(before, histogram(), count);
		System.out.printf("%d bytes an object are those of %s, counted before%n", 40,
				StoredObject.class.getSimpleName());
		dispatcher.close(Duration.ZERO);
		timer.shutdownNow();
		if (store.snapshot().size() + objects.size() != 2L * count) {
			throw new IllegalStateException("Not all are there");
		}
	}

	private static HandlerDispatcher<V1Pod> dispatcher() {
		return new HandlerDispatcher<>((event) -> {
		}, HandlerOptions.defaults(), new SilentListener<>(), new HandlerDispatcher.Context("default", Thread::new,
				System::nanoTime, LogContext.ofHandler("test", "pods", "default")));
	}

	private static void relist(int pods, String size) throws Exception {
		try (RawApiProcess api = new RawApiProcess(pods, size);
				Informers informers = Informers.builder(api.client()).build()) {
			Informer<V1Pod> informer = informers.informer(V1Pod.class);
			Lists lists = new Lists();
			informers.addListener(lists);
			AtomicLong delivered = new AtomicLong();
			HandlerRegistration handler = informer.addHandler((event) -> delivered.incrementAndGet(),
					HandlerOptions.defaults());
			long empty = live();
			informers.start();
			if (!handler.awaitSync(Duration.ofMinutes(5))) {
				throw new IllegalStateException("No sync");
			}
			long retained = live() - empty;
			System.out.printf("%d %s pods: %d bytes a pod are retained%n", pods, size, retained / pods);
			for (int i = 0; i < 5; i++) {
				expire(api, lists);
				System.out.printf("a relist takes %d ms%n", Objects.requireNonNull(lists.last.get()).toMillis());
			}
			for (int percent : new int[] { 0, 5 }) {
				List<V1Pod> before = informer.lister().list();
				Peak peak = peak(api, lists, (int) (pods * (long) percent / 100));
				long same = before.stream()
					.filter((each) -> informer.snapshot()
						.get(each.getMetadata().getNamespace(), each.getMetadata().getName()) == each)
					.count();
				System.out.printf(Locale.ROOT,
						"a relist with %d %% changed: %d bytes a pod more are alive (%.1f %%) when all is read, %d (%.1f %%) at the most; afterwards %d; %d instances are the same; %d events in all%n",
						percent, peak.read() / pods, peak.read() * 100.0 / retained, peak.most() / pods,
						peak.most() * 100.0 / retained, peak.afterwards() / pods, same, delivered.get());
			}
		}
	}

	private static Peak peak(RawApiProcess api, Lists lists, int changed) throws Exception {
		long start = live();
		api.hold();
		api.change(changed);
		lists.last.set(null);
		api.send(1, 0);
		api.expire();
		api.awaitHeld();
		// Wait until the buffered events are decoded and the memory stops growing.
		long before = -1;
		long read = live();
		while (before != read) {
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
			before = read;
			read = Math.max(read, live());
		}
		AtomicBoolean done = new AtomicBoolean();
		AtomicLong most = new AtomicLong(read);
		Thread watcher = new Thread(() -> {
			while (!done.get()) {
				most.accumulateAndGet(live(), Math::max);
			}
		});
		watcher.start();
		api.release();
		lists.await();
		done.set(true);
		watcher.join();
		return new Peak(read - start, most.get() - start, live() - start);
	}

	private static void expire(RawApiProcess api, Lists lists) throws IOException {
		lists.last.set(null);
		// Watches that expire one after another without an event delay the next list.
		api.send(1, 0);
		api.expire();
		lists.await();
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

	/**
	 * Returns the bytes of live objects by class.
	 * @return the histogram
	 */
	private static Map<String, Long> histogram() throws Exception {
		String text = (String) ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
					new Object[] { new String[0] }, new String[] { String[].class.getName() });
		Map<String, Long> bytes = new LinkedHashMap<>();
		for (String line : text.split("\n")) {
			String[] columns = line.trim().split("\\s+");
			if (columns.length > 3 && columns[0].endsWith(":")) {
				bytes.merge(columns[3], Long.parseLong(columns[2]), Long::sum);
			}
		}
		return bytes;
	}

	private static void difference(Map<String, Long> before, Map<String, Long> after, int count) {
		Map<String, Long> more = new LinkedHashMap<>();
		after.forEach((name, bytes) -> more.put(name, bytes - before.getOrDefault(name, 0L)));
		System.out.printf(Locale.ROOT, "%9.1f bytes an object in all%n",
				more.values().stream().mapToLong(Long::longValue).sum() / (double) count);
		more.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Long>comparingByValue().reversed())
			.limit(LINES)
			.filter((entry) -> entry.getValue() > count)
			.forEach((entry) -> System.out.printf(Locale.ROOT, "%9.1f %s%n", entry.getValue() / (double) count,
					entry.getKey()));
	}

	/**
	 * Additional live memory during a relist, in bytes.
	 *
	 * @param read the value when the list has been read and nothing is replaced yet
	 * @param most the highest value
	 * @param afterwards the value after the relist
	 */
	private record Peak(long read, long most, long afterwards) {

	}

	/** Records the durations of lists. */
	private static final class Lists implements InformerListener {

		private final AtomicReference<Duration> last = new AtomicReference<>();

		@Override
		public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
			this.last.set(duration);
		}

		void await() {
			while (this.last.get() == null) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
		}

	}

}
