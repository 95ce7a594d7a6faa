package dev.kubeinformer.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

/**
 * Measures a reconciler that creates children one by one while watches lag behind writes:
 * the runs that see less than earlier runs wrote, the surplus children, the waiting
 * threads, and the duration of a round beyond the lag. Then it measures the requests for
 * the same keys at rest.
 */
public final class CreateChildLoop {

	private static final Duration LIMIT = Duration.ofMinutes(30);

	private final int rounds;

	private final AtomicInteger stale = new AtomicInteger();

	private final Map<ObjectKey, Progress> progress = new ConcurrentHashMap<>();

	private final List<Long> added = Collections.synchronizedList(new ArrayList<>());

	private final Semaphore atOnce;

	/** Number of keys that warm up the JVM before the counted ones are added. */
	private final int warmUp;

	private final long lag;

	private CreateChildLoop(int rounds, Duration lag, int atOnce) {
		this.rounds = rounds;
		this.lag = lag.toNanos();
		this.atOnce = new Semaphore(atOnce);
		this.warmUp = atOnce;
	}

	/**
	 * Runs the measurement.
	 * @param arguments the number of keys (1000), of rounds (10), the lag in milliseconds
	 * (500), the number of keys at a time (100), and the seconds at rest (10)
	 * @throws Exception if something fails
	 */
	public static void main(String... arguments) throws Exception {
		int keys = number(arguments, 0, 1_000);
		int rounds = number(arguments, 1, 10);
		Duration lag = Duration.ofMillis(number(arguments, 2, 500));
		CreateChildLoop loop = new CreateChildLoop(rounds, lag, number(arguments, 3, 100));
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start()) {
			ApiClient client = new ApiClient();
			client.setBasePath(api.url());
			try (Informers informers = Informers.builder(client).build()) {
				loop.measure(api, informers, keys, lag);
				rest(api, informers, keys, Duration.ofSeconds(number(arguments, 4, 10)));
			}
		}
	}

	private static int number(String[] arguments, int position, int usual) {
		return (arguments.length > position) ? Integer.parseInt(arguments[position]) : usual;
	}

	private void measure(EmbeddedKubernetes api, Informers informers, int keys, Duration lag) throws Exception {
		ReconcilerContainer container = informers
			.controller(ReconcilerSpec.of("loop", V1ConfigMap.class, this::reconcile).withOwned(V1Secret.class));
		container.start();
		require(container.awaitSync(LIMIT), "synced");
		api.faults().watchLag(lag);
		ApiResources<V1ConfigMap> primaries = api.resources(V1ConfigMap.class);
		int mostActive = 0;
		int mostParked = 0;
		long before = System.nanoTime();
		for (int i = 0; i < keys; i++) {
			while (!this.atOnce.tryAcquire(10, TimeUnit.MILLISECONDS)) {
				mostParked = Math.max(mostParked, container.status().queue().parked());
				mostActive = Math.max(mostActive, waitingThreads());
			}
			primaries.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("loop").name("key-" + i)));
		}
		while (this.progress.values().stream().filter((each) -> each.done).count() < keys) {
			TimeUnit.MILLISECONDS.sleep(10);
		}
		double seconds = (System.nanoTime() - before) / 1e9;
		int children = api.resources(V1Secret.class).list("loop").size();
		List<Long> sorted = new ArrayList<>(this.added);
		Collections.sort(sorted);
		System.out.printf(Locale.ROOT,
				"keys %d, rounds %d, lag %d ms: %.1f s; stale runs %d, duplicate children %d, runs that waited in a thread %d, most keys parked %d, timeouts of own writes %d%n",
				keys, this.rounds, lag.toMillis(), seconds, this.stale.get(), children - keys * this.rounds, mostActive,
				mostParked, container.status().runs().ownWriteTimeouts());
		System.out.printf(Locale.ROOT,
				"from a write to the next run, beyond the lag, without the first %d keys: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, most %.1f ms%n",
				this.warmUp, millis(sorted, 0.5), millis(sorted, 0.9), millis(sorted, 0.99), millis(sorted, 1));
		container.stop();
	}

	// Worker threads that wait for a cache and not for a key.
	private static int waitingThreads() {
		return (int) Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((each) -> each.getKey().getName().startsWith("reconciler-loop-"))
			.filter((each) -> List.of(each.getValue())
				.stream()
				.anyMatch((frame) -> frame.getClassName().contains(".SnapshotWaiters")
						&& frame.getMethodName().equals("await")))
			.count();
	}

	private double millis(List<Long> sorted, double part) {
		return sorted.get((int) Math.min(sorted.size() - 1L, (long) (part * sorted.size()))) / 1e6;
	}

	private Result reconcile(V1ConfigMap primary, Reconciliation<V1ConfigMap> run) throws Exception {
		long now = System.nanoTime();
		Progress known = this.progress.computeIfAbsent(run.key(), (key) -> new Progress());
		int seen = run.owned(V1Secret.class).list().size();
		if (seen < known.written) {
			this.stale.incrementAndGet();
		}
		if (known.writtenAt != 0 && this.progress.size() > this.warmUp) {
			this.added.add(now - known.writtenAt - this.lag);
		}
		if (seen < this.rounds) {
			run.create(new V1Secret().metadata(new V1ObjectMeta().generateName(run.key().name() + "-")));
			known.written++;
			known.writtenAt = System.nanoTime();
			return Result.requeueAfter(Duration.ofMillis(1));
		}
		known.writtenAt = 0;
		if (!known.done) {
			known.done = true;
			this.atOnce.release();
		}
		return Result.done();
	}

	private static void rest(EmbeddedKubernetes api, Informers informers, int keys, Duration time) throws Exception {
		api.reset();
		int objects = keys * 10;
		ApiResources<V1ConfigMap> primaries = api.resources(V1ConfigMap.class);
		primaries.fill(objects,
				(i) -> new V1ConfigMap().metadata(new V1ObjectMeta().namespace("rest").name("key-" + i)));
		ReconcilerContainer container = informers
			.controller(ReconcilerSpec.of("rest", V1ConfigMap.class, (primary, run) -> {
				run.apply(new V1Secret().metadata(new V1ObjectMeta().name(run.key().name())));
				return Result.done();
			}).withOwned(V1Secret.class));
		container.start();
		require(container.awaitIdle(LIMIT), "idle");
		api.clearRequests();
		long runs = container.status().runs().total();
		TimeUnit.NANOSECONDS.sleep(time.toNanos());
		long requests = api.requests().stream().filter((request) -> !request.isWatch()).count();
		System.out.printf(Locale.ROOT, "%d keys at rest for %d s: requests without watches %d, runs %d%n", objects,
				time.toSeconds(), requests, container.status().runs().total() - runs);
		container.triggerAll();
		require(container.awaitIdle(LIMIT), "idle");
		long writes = api.requests().stream().filter((request) -> !request.method().equals("GET")).count();
		System.out.printf(Locale.ROOT, "all of them triggered: writes %d, runs %d%n", writes,
				container.status().runs().total() - runs);
		container.stop();
	}

	private static void require(boolean met, String what) {
		if (!met) {
			throw new IllegalStateException("The reconciler is not " + what + " in time");
		}
	}

	/**
	 * Progress of one key.
	 */
	private static final class Progress {

		private volatile int written;

		private volatile long writtenAt;

		private volatile boolean done;

	}

}
