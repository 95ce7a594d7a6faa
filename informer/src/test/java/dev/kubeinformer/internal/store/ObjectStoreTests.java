package dev.kubeinformer.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.types.ObjectKey;

import static dev.kubeinformer.internal.store.StoredObjects.deleted;
import static dev.kubeinformer.internal.store.StoredObjects.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ObjectStoreTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final PartitionWriter<String> writer = this.store.writer("");

	private final RecordingSink recorder = new RecordingSink();

	@Test
	void storeIsNewAlreadyWhenSinksAreNotified() {
		list("5", object("a", "u1", "1"));
		List<List<String>> seen = new ArrayList<>();
		this.store.addSink(new RecordingSink() {

			@Override
			public void delta(Delta<String> delta) {
				seen.add(ObjectStoreTests.this.store.snapshot().list());
			}

		});
		list("9", object("b", "u2", "8"));
		assertThat(seen.subList(1, seen.size())).containsOnly(List.of("b@8")).hasSize(2);
	}

	@Test
	void fullStateThatASinkDidNotTakeIsCompletedByTheNextList() {
		AtomicBoolean memory = new AtomicBoolean();
		this.store.addSink(new RecordingSink() {

			@Override
			public void initialStateComplete() {
				if (!memory.getAndSet(true)) {
					throw new InternalError("no sync");
				}
				super.initialStateComplete();
			}

		});
		this.store.addSink(this.recorder);
		assertThatExceptionOfType(InternalError.class).isThrownBy(() -> list("5"));
		list("5");
		assertThat(this.store.hasFullState()).isTrue();
		assertThat(this.recorder.events()).containsExactly("complete");
	}

	@Test
	void lateSinkGetsThePresentAndThenEveryChange() {
		list("5", object("a", "u1", "1"));
		this.store.addSink(this.recorder);
		this.writer.put(object("b", "u2", "6"), "6");
		this.store.removeSink(this.recorder);
		this.writer.put(object("c", "u3", "7"), "7");
		assertThat(this.recorder.events()).containsExactly("+a@1 initial", "complete", "+b@6");
	}

	@Test
	void partitionsAreReplacedByThemselvesAndSyncedTogether() {
		ObjectStore<String> two = new ObjectStore<>(Set.of("x", "y"));
		two.addSink(this.recorder);
		two.writer("x").replace(List.of(object("x", "a", "u1", "1")), List.of(), false, "5", false);
		assertThat(two.hasFullState()).isFalse();
		assertThat(two.snapshot().resourceVersion()).isEmpty();
		two.writer("y").replace(List.of(object("y", "a", "u2", "2")), List.of(), false, "9", false);
		assertThat(two.hasFullState()).isTrue();
		assertThat(two.snapshot().resourceVersion()).isEqualTo("5");
		two.writer("x").replace(List.of(), List.of(), false, "12", false);
		assertThat(two.snapshot().list()).containsExactly("a@2");
		assertThat(two.snapshot().resourceVersion()).isEqualTo("9");
		assertThat(this.recorder.events()).containsExactly("+a@1 initial", "+a@2 initial", "complete", "-a@1 unknown");
	}

	@Test
	void restartKeepsObjectsAndWaitsForAFullStateAgain() {
		list("5", object("a", "u1", "1"));
		this.store.addSink(this.recorder);
		this.store.awaitFullStateAgain();
		assertThat(this.store.hasFullState()).isFalse();
		assertThat(this.store.snapshot().list()).containsExactly("a@1");
		this.store.writer("")
			.replace(List.of(object("a", "u1", "1"), object("b", "u2", "6")), List.of(), false, "6", false);
		assertThat(this.recorder.events()).containsExactly("+a@1 initial", "complete", "reset", "+b@6 initial",
				"complete");
	}

	@Test
	void addedPartitionDoesNotUndoAFullStateAndIsDeliveredAsChanges() {
		ObjectStore<String> some = new ObjectStore<>(Set.of("x"));
		some.writer("x").replace(List.of(object("x", "a", "u1", "1")), List.of(), false, "5", false);
		some.addSink(this.recorder);
		assertThat(some.addPartition("y")).isTrue();
		assertThat(some.addPartition("y")).isFalse();
		assertThat(some.hasFullState()).isTrue();
		assertThat(some.snapshot().resourceVersion()).isEmpty();
		some.writer("y").replace(List.of(object("y", "b", "u2", "7")), List.of(), false, "9", false);
		assertThat(some.snapshot().resourceVersion()).isEqualTo("5");
		assertThat(this.recorder.events()).containsExactly("+a@1 initial", "complete", "+b@7");
		assertThat(some.addPartition("z")).isTrue();
		some.awaitFullStateAgain();
		for (String partition : List.of("x", "y", "z")) {
			assertThat(some.hasFullState()).isFalse();
			some.writer(partition).replace(List.of(), List.of(), false, "10", false);
		}
		assertThat(some.hasFullState()).isTrue();
	}

	@Test
	void partitionThatIsAddedBeforeTheFullStateIsAwaitedToo() {
		ObjectStore<String> some = new ObjectStore<>(Set.of("x"));
		some.addPartition("y");
		some.addSink(this.recorder);
		some.writer("x").replace(List.of(), List.of(), false, "5", false);
		assertThat(some.hasFullState()).isFalse();
		some.writer("y").replace(List.of(object("y", "b", "u2", "7")), List.of(), false, "9", false);
		assertThat(this.recorder.events()).containsExactly("+b@7 initial", "complete");
	}

	@Test
	void removedPartitionTakesItsObjectsWithItAndIsNotAwaitedAnyMore() {
		ObjectStore<String> some = new ObjectStore<>(Set.of("x", "y", "z"));
		some.addIndexers(Map.of("all", (object) -> List.of("1")));
		some.writer("x").replace(List.of(object("x", "a", "u1", "1")), List.of(), false, "5", false);
		some.writer("y").replace(List.of(object("y", "b", "u2", "2")), List.of(), false, "4", false);
		some.addSink(this.recorder);
		some.removePartition("y");
		assertThat(some.snapshot().list()).containsExactly("a@1");
		assertThat(some.snapshot().byIndex("all", "1")).containsExactly("a@1");
		assertThat(some.hasFullState()).isFalse();
		some.removePartition("z");
		assertThat(some.hasFullState()).isTrue();
		assertThat(some.snapshot().resourceVersion()).isEqualTo("5");
		assertThat(this.recorder.events()).containsExactlyInAnyOrder("+a@1 initial", "+b@2 initial", "-b@2 unknown",
				"complete");
	}

	@Test
	void opaqueVersionsAreReachedByEqualityOrByTheObjectItself() throws InterruptedException {
		list("v5", object("a", "u1", "v1"));
		ObjectKey a = new ObjectKey("ns", "a");
		assertThat(this.store.await(null, (snapshot) -> snapshot.hasReached("v5"), Duration.ZERO)).isTrue();
		assertThat(this.store.await(null, (snapshot) -> snapshot.hasReached("v4"), Duration.ZERO)).isFalse();
		assertThat(this.store.await(null, (snapshot) -> snapshot.hasReached("", a, "v1"), Duration.ZERO)).isTrue();
		assertThat(this.store.await(null, (snapshot) -> snapshot.hasReached("", a, "v2"), Duration.ZERO)).isFalse();
	}

	@Test
	void nobodyIsOverlookedWhoWaitsForAVersion() throws Exception {
		int waiting = 8;
		int versions = 400;
		ExecutorService threads = Executors.newFixedThreadPool(waiting);
		List<Future<Boolean>> results = new ArrayList<>();
		for (int i = 0; i < waiting; i++) {
			Random random = new Random(i);
			results.add(threads.submit(() -> {
				for (int version = 1; version < versions; version += 1 + random.nextInt(5)) {
					String wanted = String.valueOf(version);
					if (!this.store.await(null, (snapshot) -> snapshot.hasReached(wanted), Duration.ofMinutes(1))) {
						return false;
					}
				}
				return true;
			}));
		}
		for (int version = 1; version <= versions; version++) {
			this.writer.put(object("a", "u1", String.valueOf(version)), String.valueOf(version));
			Thread.yield();
		}
		threads.shutdown();
		for (Future<Boolean> result : results) {
			assertThat(result.get(2, TimeUnit.MINUTES)).isTrue();
		}
	}

	@Test
	void waitsEndOnceTheSinksAreNotified() throws Exception {
		CountDownLatch delivering = new CountDownLatch(1);
		CountDownLatch delivered = new CountDownLatch(1);
		this.store.addSink(new RecordingSink() {

			@Override
			public void delta(Delta<String> delta) {
				delivering.countDown();
				try {
					delivered.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}

		});
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			Callable<Boolean> reached = () -> this.store.await(null, (snapshot) -> snapshot.hasReached("5"),
					Duration.ofMinutes(1));
			Future<Boolean> early = threads.submit(reached);
			threads.execute(() -> this.writer.put(object("a", "u1", "5"), "5"));
			delivering.await();
			Future<Boolean> late = threads.submit(reached);
			for (Future<Boolean> waiting : List.of(early, late)) {
				assertThatExceptionOfType(TimeoutException.class)
					.isThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS));
			}
			delivered.countDown();
			assertThat(early.get(30, TimeUnit.SECONDS)).isTrue();
			assertThat(late.get(30, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			delivered.countDown();
			threads.shutdownNow();
		}
	}

	@Test
	void waitsEndWhileTheStoreEnds() throws InterruptedException {
		list("5");
		this.store.endWaits();
		assertThat(this.store.await(null, (snapshot) -> snapshot.hasReached("9"), Duration.ofSeconds(10))).isFalse();
		assertThat(this.store.await(null, (snapshot) -> snapshot.hasReached("5"), Duration.ofSeconds(10))).isTrue();
		this.store.awaitFullStateAgain();
		assertThat(this.store.await(null, (snapshot) -> snapshot.hasReached("9"), Duration.ofMillis(10))).isFalse();
	}

	@Test
	void indexesAreAddedUnderASteadyStreamOfWrites() throws Exception {
		List<StoredObject<String>> many = new ArrayList<>();
		for (int i = 0; i < 5_000; i++) {
			many.add(object("o" + i, "u", "1"));
		}
		this.writer.replace(many, List.of(), false, "1", false);
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService writer = Executors.newSingleThreadExecutor();
		Future<Integer> writes = writer.submit(() -> {
			int version = 1;
			while (!done.get()) {
				version++;
				this.writer.put(object("o" + version % 5_000, "u", String.valueOf(version)), String.valueOf(version));
			}
			return version;
		});
		this.store.addIndexers(Map.of("all", (object) -> List.of("x")));
		this.store.addIndexers(Map.of("more", (object) -> List.of("y")));
		done.set(true);
		assertThat(writes.get(30, TimeUnit.SECONDS)).isGreaterThan(1);
		writer.shutdown();
		assertThat(this.store.snapshot().byIndex("all", "x"))
			.containsExactlyInAnyOrderElementsOf(this.store.snapshot().list());
		assertThat(this.store.snapshot().byIndex("more", "y")).hasSize(5_000);
	}

	@Test
	void indexesFollowTheObjectsAddedBeforeAndAfterThem() {
		list("5", object("a", "u1", "1"), object("b", "u2", "1"));
		this.store.addIndexers(Map.of("version", (object) -> List.of(object.substring(2))));
		this.writer.put(object("b", "u2", "6"), "6");
		this.writer.put(object("c", "u3", "7"), "7");
		assertThat(this.store.snapshot().byIndex("version", "1")).containsExactly("a@1");
		assertThat(this.store.snapshot().byIndex("version", "6")).containsExactly("b@6");
		this.writer.remove(deleted("b", "", ""), null, false, "8");
		assertThat(this.store.snapshot().byIndex("version", "6")).isEmpty();
		list("9", object("c", "u3", "9"));
		assertThat(this.store.snapshot().byIndex("version", "7")).isEmpty();
		assertThat(this.store.snapshot().keysByIndex("version", "9")).containsExactly("ns/c");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.addIndexers(Map.of("version", (object) -> List.of())))
			.withMessageContaining("'version'");
	}

	@Test
	void throwingIndexFunctionLeavesTheObjectOutOfItsIndexOnly() {
		this.store.addIndexers(Map.of("bad", (object) -> {
			throw new AssertionError("no");
		}, "good", (object) -> List.of("x")));
		list("5", object("a", "u1", "1"));
		assertThat(this.store.snapshot().byIndex("bad", "x")).isEmpty();
		assertThat(this.store.snapshot().byIndex("good", "x")).containsExactly("a@1");
	}

	@Test
	void readersNeverSeeHalfAChange() throws Exception {
		// Each list holds one generation of ten objects; every snapshot must hold exactly
		// one.
		this.store.addIndexers(Map.of("generation", (object) -> List.of(object.substring(object.indexOf('@') + 1))));
		AtomicBoolean done = new AtomicBoolean();
		CountDownLatch reading = new CountDownLatch(2);
		ExecutorService readers = Executors.newFixedThreadPool(2);
		List<Future<Integer>> results = new ArrayList<>();
		for (int r = 0; r < 2; r++) {
			results.add(readers.submit(() -> {
				int reads = 0;
				reading.countDown();
				while (!done.get() || reads == 0) {
					StoreSnapshot<String> snapshot = this.store.snapshot();
					List<String> all = snapshot.list();
					assertThat(all).doesNotContainNull();
					if (!all.isEmpty()) {
						String generation = snapshot.resourceVersion();
						assertThat(all).hasSize(10).allMatch((each) -> each.endsWith("@" + generation));
						assertThat(snapshot.byIndex("generation", generation)).containsExactlyInAnyOrderElementsOf(all);
						reads++;
					}
				}
				return reads;
			}));
		}
		assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();
		Random random = new Random(7);
		for (int generation = 1; generation <= 3000; generation++) {
			List<StoredObject<String>> objects = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				objects.add(object("o" + random.nextInt(1000) * 10 + i, "u", String.valueOf(generation)));
			}
			this.writer.replace(objects.stream().distinct().toList(), List.of(), false, String.valueOf(generation),
					false);
		}
		done.set(true);
		readers.shutdown();
		assertThat(readers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		for (Future<Integer> result : results) {
			result.get();
		}
	}

	@SafeVarargs
	@SuppressWarnings("varargs") // the array is only read
	private void list(String version, StoredObject<String>... objects) {
		this.writer.replace(List.of(objects), List.of(), false, version, false);
	}

}
