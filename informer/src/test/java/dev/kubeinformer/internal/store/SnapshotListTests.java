package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotListTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final PartitionWriter<String> writer = this.store.writer("");

	private int version;

	@ParameterizedTest
	@CsvSource({ "0, 1", "1, 1", "40, 7", "900, 2", "2000, 300" })
	void listsShowWhatTheSnapshotHasAndStayAsTheyAre(int objects, int namespaces) {
		this.store.addIndexers(Map.of("parity", (object) -> List.of((object.hashCode() % 2 == 0) ? "even" : "odd")));
		Random random = new Random(objects);
		Map<String, String> model = new TreeMap<>();
		List<Runnable> checks = new ArrayList<>();
		for (int round = 0; round < 5; round++) {
			for (int i = 0; i < objects / 2 + 1 && objects > 0; i++) {
				change("ns-" + random.nextInt(namespaces), "pod-" + random.nextInt(objects), random.nextInt(4) == 0,
						model);
			}
			StoreSnapshot<String> snapshot = this.store.snapshot();
			List<String> keys = List.copyOf(model.keySet());
			List<String> values = List.copyOf(model.values());
			List<String> list = snapshot.list();
			List<String> keyList = snapshot.keys();
			List<String> inNamespace = snapshot.list("ns-0");
			List<String> keysInNamespace = snapshot.keys("ns-0");
			List<String> even = snapshot.byIndex("parity", "even");
			List<String> evenKeys = snapshot.keysByIndex("parity", "even");
			checks.add(() -> {
				assertIsListOf(list, values);
				assertIsListOf(keyList, keys);
				assertIsListOf(inNamespace, values.stream().filter((value) -> value.startsWith("ns-0/")).toList());
				assertIsListOf(keysInNamespace, keys.stream().filter((key) -> key.startsWith("ns-0/")).toList());
				assertIsListOf(even, values.stream().filter((value) -> value.hashCode() % 2 == 0).toList());
				assertIsListOf(evenKeys,
						keys.stream()
							.filter((key) -> even.stream().anyMatch((each) -> each.startsWith(key + "@")))
							.toList());
			});
		}
		checks.forEach(Runnable::run);
	}

	private void change(String namespace, String name, boolean deletion, Map<String, String> model) {
		String key = namespace + "/" + name;
		String next = Integer.toString(++this.version);
		if (!deletion) {
			StoredObject<String> object = new StoredObject<>(namespace, name, "uid-" + key, next, key + "@" + next);
			this.writer.put(object, next);
			model.put(key, object.object());
		}
		else if (model.remove(key) != null) {
			this.writer.remove(new DeletedObject(new ObjectKey(namespace, name), "uid-" + key, next), null, false,
					next);
		}
	}

	// In whatever order, but always the same.
	private static void assertIsListOf(List<String> list, List<String> expected) {
		assertThat(list).hasSize(expected.size());
		List<String> elements = new ArrayList<>(list);
		assertThat(elements).containsExactlyInAnyOrderElementsOf(expected);
		List<String> walked = new ArrayList<>();
		for (String each : list) {
			walked.add(each);
		}
		assertThat(walked).isEqualTo(elements);
		List<String> visited = new ArrayList<>();
		list.forEach(visited::add);
		assertThat(visited).isEqualTo(elements);
		for (int i = 0; i < elements.size(); i++) {
			if (!list.get(i).equals(elements.get(i))) {
				assertThat(list.get(i)).isEqualTo(elements.get(i));
			}
		}
		assertThat(list).isEqualTo(elements);
		assertThat(list.stream().toList()).isEqualTo(elements);
		assertThat(list.parallelStream().map(String::length).toList())
			.isEqualTo(elements.stream().map(String::length).toList());
		for (int room = 0; room < 3; room++) {
			String[] target = new String[elements.size() + room];
			Arrays.fill(target, "x");
			assertThat(list.toArray(target.clone())).isEqualTo(elements.toArray(target.clone()));
		}
		assertThat(list.toArray(new String[0])).isEqualTo(elements.toArray());
		int part = elements.size() / 3;
		assertThat(list.subList(part, 2 * part)).isEqualTo(elements.subList(part, 2 * part));
		assertSplits(list, elements);
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(elements.size()));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(-1));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.add("x"));
		Iterator<String> iterator = list.iterator();
		elements.forEach((each) -> iterator.next());
		assertThat(iterator.hasNext()).isFalse();
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
	}

	private static void assertSplits(List<String> list, List<String> elements) {
		Random random = new Random(1);
		List<String> found = new ArrayList<>();
		split(list.spliterator(), random, found::add);
		assertThat(found).isEqualTo(elements);
	}

	private static void split(Spliterator<String> rest, Random random, Consumer<String> each) {
		for (int i = random.nextInt(5); i > 0; i--) {
			rest.tryAdvance(each);
		}
		Spliterator<String> first = (random.nextInt(6) > 0) ? rest.trySplit() : null;
		if (first == null) {
			rest.forEachRemaining(each);
			return;
		}
		split(first, random, each);
		split(rest, random, each);
	}

	@Test
	void indexThatIsNotThereHasNoList() {
		assertThat(this.store.snapshot().byIndex("none", "a")).isNull();
		assertThat(this.store.snapshot().keysByIndex("none", "a")).isNull();
	}

	@Test
	@SuppressWarnings("DataFlowIssue")
	void emptyListsMayBeAskedForNull() {
		StoreSnapshot<String> snapshot = this.store.snapshot();
		assertThat(snapshot.list("nowhere").contains(null)).isFalse();
		assertThat(snapshot.keys("nowhere").indexOf(null)).isEqualTo(-1);
		assertThat(snapshot.list().contains(null)).isFalse();
	}

}
