package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.workqueue.OwnWritesWait;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that write and park in turn, while a watch that lags shows what was written: no
 * key goes on before the cache has all of its writes, and each write arrives once.
 */
class OwnWritesHistoryTests {

	private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

	private static final int KEYS = 4;

	private static final int ROUNDS = 1000;

	private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

	private final CachedModels<V1ConfigMap> cache = new CachedModels<>(this.store, "");

	private final OwnWrites writes = new OwnWrites(
			List.of(new OwnWriteSource<>(TYPE, CachedSources.overlay(this.store, System::nanoTime),
					new OwnWriteSource.Selection((labels) -> true, false, ObjectShare.ALL), true,
					(object) -> new DecodedObject<>(new ObjectMetadata("", "", "", ""), null, "unreadable"))),
			new OwnVersions(), Duration.ofMinutes(10), System::nanoTime);

	private final BlockingQueue<Runnable> watch = new LinkedBlockingQueue<>();

	/** Guarded by this object. */
	private final Map<String, V1ConfigMap> server = new HashMap<>();

	/** Guarded by this object. */
	private int version = 1;

	@Test
	void noKeyGoesOnBeforeTheCacheShowsItsWrites() throws Exception {
		this.cache.list("1");
		ExecutorService threads = Executors.newFixedThreadPool(KEYS + 1);
		try {
			threads.execute(this::show);
			List<Future<Integer>> runs = new ArrayList<>();
			for (int i = 0; i < KEYS; i++) {
				int number = i;
				runs.add(threads.submit(() -> run(number)));
			}
			int parked = 0;
			for (Future<Integer> each : runs) {
				parked += each.get(2, TimeUnit.MINUTES);
			}
			assertThat(parked).isPositive();
			assertThat(this.writes.size()).isZero();
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void show() {
		try {
			while (true) {
				this.watch.take().run();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private int run(int number) throws Exception {
		ObjectKey primary = new ObjectKey("ns", "p" + number);
		Random random = new Random(number);
		int parked = 0;
		for (int round = 0; round < ROUNDS; round++) {
			Map<String, @Nullable String> expected = new HashMap<>();
			for (int i = random.nextInt(4); i >= 0; i--) {
				String name = number + "-" + random.nextInt(3);
				expected.put(name, write(primary, name, random.nextInt(4) == 0));
			}
			OwnWritesWait parking = this.writes.parking(primary);
			if (parking != null) {
				parked++;
				await(parking);
			}
			expected.forEach(this::assertShown);
		}
		return parked;
	}

	private void await(OwnWritesWait parking) throws InterruptedException {
		AtomicInteger arrived = new AtomicInteger();
		CountDownLatch all = new CountDownLatch(parking.awaited());
		parking.register(() -> {
			arrived.incrementAndGet();
			all.countDown();
		});
		assertThat(all.await(1, TimeUnit.MINUTES)).isTrue();
		assertThat(arrived).hasValue(parking.awaited());
	}

	private void assertShown(String name, @Nullable String written) {
		StoredObject<V1ConfigMap> stored = this.store.snapshot().find("ns", name);
		if (written == null) {
			assertThat(stored).as(name).isNull();
		}
		else {
			assertThat(stored).as(name).isNotNull();
			assertThat(stored.resourceVersion()).isEqualTo(written);
		}
	}

	/**
	 * Writes an object to the server.
	 * @param primary the key of the run
	 * @param name the object
	 * @param delete whether it is deleted
	 * @return the version of the object, {@code null} if it is gone
	 */
	private @Nullable String write(ObjectKey primary, String name, boolean delete) {
		V1ConfigMap written;
		synchronized (this) {
			V1ConfigMap present = this.server.get(name);
			String next = Integer.toString(++this.version);
			if (delete && present != null) {
				this.server.remove(name);
				this.watch.add(() -> this.cache.remove(present, next));
				written = present;
			}
			else {
				written = CachedModels.configMap("ns", name, next);
				written.getMetadata().setUid((present != null) ? present.getMetadata().getUid() : name + next);
				this.server.put(name, written);
				V1ConfigMap shown = written;
				this.watch.add(() -> this.cache.put(shown));
				delete = false;
			}
		}
		if (delete) {
			this.writes.deleted(primary, TYPE, written);
			return null;
		}
		this.writes.written(primary, TYPE, written);
		return written.getMetadata().getResourceVersion();
	}

}
