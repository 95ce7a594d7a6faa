package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Walks over a store that changes meanwhile.
 */
class StoreWalkTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final List<String> met = new ArrayList<>();

	private int versions;

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6 })
	void whatIsThereAllTheTimeIsMetOnce(long seed) {
		Random random = new Random(seed);
		Set<String> present = new TreeSet<>();
		// It grows and shrinks by so much that pages are divided and joined.
		for (int i = random.nextInt(2000); i >= 0; i--) {
			present.add(put(random));
		}
		StoreWalk<String> walk = this.store.walk();
		Set<String> stayed = new TreeSet<>(present);
		boolean growing = random.nextBoolean();
		for (int step = 0; step < 200; step++) {
			walk(walk, random.nextInt(15));
			for (int i = random.nextInt(40); i > 0; i--) {
				if (random.nextInt(10) < (growing ? 9 : 2)) {
					present.add(put(random));
				}
				else if (!present.isEmpty()) {
					String gone = present.stream().skip(random.nextInt(present.size())).findFirst().orElseThrow();
					remove(gone);
					present.remove(gone);
					stayed.remove(gone);
				}
			}
		}
		walk(walk, Integer.MAX_VALUE);
		assertThat(this.met).containsAll(stayed);
		Map<String, Integer> times = new HashMap<>();
		this.met.forEach((key) -> times.merge(key, 1, Integer::sum));
		assertThat(stayed).allMatch((key) -> times.get(key) == 1);
		walk(walk, 1);
		assertThat(this.met).hasSize(times.values().stream().mapToInt(Integer::intValue).sum());
	}

	@Test
	void namesThatAreSpreadMeanwhileAreMetOnce() {
		for (int i = 0; i < 1000; i++) {
			put("ns", "usual-" + i);
			put("other", "usual-" + i);
		}
		CollidingNames.of(100).forEach((name) -> put("ns", name));
		StoreWalk<String> walk = this.store.walk();
		walk(walk, 550);
		assertThat(table().names()).isNull();
		List<String> early = List.copyOf(this.met);
		CollidingNames.of(2000).subList(100, 2000).forEach((name) -> put("ns", name));
		assertThat(table().names()).isNotNull();
		walk(walk, Integer.MAX_VALUE);
		assertThatNoneIsMetTwice();
		assertThat(this.met).startsWith(early.toArray(String[]::new))
			.containsAll(IntStream.range(0, 1000).mapToObj((i) -> "ns/usual-" + i).toList())
			.containsAll(IntStream.range(0, 1000).mapToObj((i) -> "other/usual-" + i).toList())
			.containsAll(CollidingNames.of(100).stream().map("ns/"::concat).toList());
	}

	@Test
	void namespaceThatWasEmptyMeanwhileIsNotBegunAgain() {
		CollidingNames.of(2000).forEach((name) -> put("ns", name));
		put("other", "o");
		StoreWalk<String> walk = this.store.walk();
		assertThat(table().names()).isNotNull();
		walk(walk, 2);
		CollidingNames.of(2000).forEach((name) -> remove("ns/" + name));
		put("ns", "new");
		walk(walk, Integer.MAX_VALUE);
		assertThatNoneIsMetTwice();
		assertThat(this.met).contains("other/o").hasSizeLessThanOrEqualTo(4);
	}

	// AssertJ overlooks duplicates among texts of one hash code.
	private void assertThatNoneIsMetTwice() {
		assertThat(Set.copyOf(this.met)).hasSameSizeAs(this.met);
	}

	private ObjectTable<String> table() {
		return this.store.snapshot().objects().get("ns");
	}

	private void walk(StoreWalk<String> walk, int count) {
		this.store.resync(new RecordingSink() {

			@Override
			public void resync(StoredObject<String> object) {
				StoreWalkTests.this.met.add(object.key().toString());
			}

		}, walk, count);
	}

	private String put(Random random) {
		return put("ns" + random.nextInt(3), "o" + random.nextInt(4000));
	}

	private String put(String namespace, String name) {
		String version = String.valueOf(++this.versions);
		this.store.writer("").put(new StoredObject<>(namespace, name, "u", version, name), version);
		return namespace + "/" + name;
	}

	private void remove(String key) {
		String version = String.valueOf(++this.versions);
		this.store.writer("").remove(new DeletedObject(ObjectKey.parse(key), "u", version), null, false, version);
	}

}
