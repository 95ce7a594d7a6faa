package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.types.ObjectKey;

import static dev.kubeinformer.internal.store.StoredObjects.deleted;
import static dev.kubeinformer.internal.store.StoredObjects.object;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random writes, some of them waited for by several threads while others arrive: every
 * wait ends exactly once, and not before the store shows what it is for.
 */
class WriteWaitHistoryTests {

	private static final int OBJECTS = 20;

	private static final int CHANGES = 4000;

	/** Number of writes for which each thread waits before the first of them arrives. */
	private static final int EARLY = 20;

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final PartitionWriter<String> writer = this.store.writer("");

	/** The version up to which everything is decided. */
	private final AtomicLong decided = new AtomicLong(1);

	private final AtomicBoolean done = new AtomicBoolean();

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void everyWaitEndsOnceAndNotBeforeItsWriteIsSeen(long seed) throws Exception {
		this.writer.replace(List.of(), List.of(), false, "1", false);
		ExecutorService threads = Executors.newFixedThreadPool(3);
		try {
			List<Future<List<Awaited>>> waiting = new ArrayList<>();
			CountDownLatch ready = new CountDownLatch(3);
			for (int i = 0; i < 3; i++) {
				Random random = new Random(seed * 10 + i);
				waiting.add(threads.submit(() -> waitForWrites(random, ready)));
			}
			// Threads that get no time meanwhile would wait for nothing at all.
			assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
			change(new Random(seed));
			this.done.set(true);
			List<Awaited> all = new ArrayList<>();
			for (Future<List<Awaited>> each : waiting) {
				all.addAll(each.get(60, TimeUnit.SECONDS));
			}
			// Beyond all versions that are waited for, and nothing is left.
			this.writer.replace(List.of(), List.of(), false, Long.toString(CHANGES + 1000), false);
			assertThat(all).isNotEmpty();
			assertThat(all.stream().filter((each) -> each.tooEarly).count()).isZero();
			assertThat(all.stream().filter((each) -> each.ended.get() > 1).count()).isZero();
			assertThat(all.stream().filter((each) -> each.ended.get() == 0 && !each.forgotten).count()).isZero();
			assertThat(all).anyMatch((each) -> !each.atOnce && !each.forgotten);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void change(Random random) {
		boolean[] there = new boolean[OBJECTS];
		for (int version = 2; version <= CHANGES; version++) {
			int number = random.nextInt(OBJECTS);
			String name = "o" + number;
			String text = Integer.toString(version);
			switch (random.nextInt(10)) {
				case 0 -> this.writer.advance(text);
				case 1, 2 -> {
					if (there[number]) {
						this.writer.remove(deleted(name, "u" + number, text), null, false, text);
						there[number] = false;
					}
				}
				default -> {
					this.writer.put(object(name, "u" + number, text), text);
					there[number] = true;
				}
			}
			this.decided.set(version);
		}
	}

	private List<Awaited> waitForWrites(Random random, CountDownLatch ready) {
		List<Awaited> all = new ArrayList<>();
		while (!this.done.get() && all.size() < 20_000) {
			Awaited awaited = new Awaited("o" + random.nextInt(OBJECTS), this.decided.get() + random.nextInt(40),
					random.nextInt(4) == 0);
			all.add(awaited);
			this.store.whenSeen(awaited.wait);
			awaited.atOnce = awaited.ended.get() > 0;
			if (random.nextInt(10) == 0) {
				awaited.forgotten = true;
				this.store.forget(awaited.wait);
			}
			if (all.size() == EARLY) {
				ready.countDown();
			}
		}
		return all;
	}

	/** Wait that looks whether the store shows its write when it ends. */
	private final class Awaited {

		private final AtomicInteger ended = new AtomicInteger();

		private final WriteWait wait;

		private volatile boolean tooEarly;

		private volatile boolean atOnce;

		private volatile boolean forgotten;

		private Awaited(String name, long version, boolean deletion) {
			ObjectKey key = new ObjectKey("ns", name);
			String uid = name.replace('o', 'u');
			String text = Long.toString(version);
			this.wait = deletion ? WriteWait.deleted("", key, uid, text, false, () -> ended(() -> gone(key, version)))
					: WriteWait.written("", key, text, false, () -> ended(() -> shown(key, version)));
		}

		private void ended(BooleanSupplier seen) {
			this.ended.incrementAndGet();
			if (!seen.getAsBoolean()) {
				this.tooEarly = true;
			}
		}

		private boolean shown(ObjectKey key, long version) {
			StoredObject<String> stored = WriteWaitHistoryTests.this.store.snapshot().find(key.namespace(), key.name());
			return present() >= version || (stored != null && Long.parseLong(stored.resourceVersion()) >= version);
		}

		private boolean gone(ObjectKey key, long version) {
			return present() >= version
					&& WriteWaitHistoryTests.this.store.snapshot().find(key.namespace(), key.name()) == null;
		}

		private long present() {
			return Long.parseLong(WriteWaitHistoryTests.this.store.snapshot().resourceVersion(""));
		}

	}

}
