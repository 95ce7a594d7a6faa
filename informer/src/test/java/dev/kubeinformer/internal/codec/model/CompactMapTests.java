package dev.kubeinformer.internal.codec.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CompactMapTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 5, 15, 16, 17, 31, 32, 33, 100, 255, 256, 257, 300 })
	void answersAsAMapOfTheJdkInItsOrder(int size) {
		Random random = new Random(size);
		for (int round = 0; round < 20; round++) {
			Map<String, @Nullable String> expected = new LinkedHashMap<>();
			while (expected.size() < size) {
				expected.put(key(random), value(random));
			}
			Map<String, @Nullable String> map = CompactMap.copyOf(expected);
			assertSame(map, expected);
			for (int question = 0; question < 50; question++) {
				String key = (question > 0) ? key(random) : null;
				String value = value(random);
				assertThat(map.get(key)).isEqualTo(expected.get(key));
				assertThat(map.getOrDefault(key, "default")).isEqualTo(expected.getOrDefault(key, "default"));
				assertThat(map.containsKey(key)).isEqualTo(expected.containsKey(key));
				assertThat(map.containsValue(value)).isEqualTo(expected.containsValue(value));
				assertThat(map.keySet().contains(key)).isEqualTo(expected.containsKey(key));
				assertThat(map.values().contains(value)).isEqualTo(expected.containsValue(value));
				Map.Entry<String, @Nullable String> entry = new java.util.AbstractMap.SimpleEntry<>(key, value);
				assertThat(map.entrySet().contains(entry)).isEqualTo(expected.entrySet().contains(entry));
			}
			assertThat(map.get(7)).isNull();
			assertThat(map.entrySet().contains("no entry")).isFalse();
		}
	}

	private static void assertSame(Map<String, @Nullable String> map, Map<String, @Nullable String> expected) {
		assertThat(map.equals(expected)).isTrue();
		assertThat(expected.equals(map)).isTrue();
		assertThat(map.equals(CompactMap.copyOf(new HashMap<>(expected)))).isTrue();
		assertThat(map.equals(map)).isTrue();
		assertThat(map.hashCode()).isEqualTo(expected.hashCode());
		assertThat(map.toString()).isEqualTo(expected.toString());
		assertThat(map.size()).isEqualTo(expected.size());
		assertThat(map.isEmpty()).isEqualTo(expected.isEmpty());
		assertThat(new ArrayList<>(map.keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
		assertThat(new ArrayList<>(map.values())).isEqualTo(new ArrayList<>(expected.values()));
		assertThat(new ArrayList<>(map.entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
		assertThat(map.keySet().equals(expected.keySet())).isTrue();
		assertThat(expected.keySet().equals(map.keySet())).isTrue();
		assertThat(map.keySet().hashCode()).isEqualTo(expected.keySet().hashCode());
		assertThat(map.entrySet().equals(expected.entrySet())).isTrue();
		assertThat(expected.entrySet().equals(map.entrySet())).isTrue();
		assertThat(map.entrySet().hashCode()).isEqualTo(expected.entrySet().hashCode());
		assertThat(map.entrySet().toString()).isEqualTo(expected.entrySet().toString());
		Map<String, @Nullable String> each = new LinkedHashMap<>();
		map.forEach(each::put);
		assertThat(each.toString()).isEqualTo(expected.toString());
	}

	@Test
	void differsFromMapsThatDiffer() {
		Map<String, @Nullable String> map = CompactMap.of(new Object[] { "a", "1", "b", null }, 2);
		assertThat(map.equals(Map.of("a", "1", "b", "2"))).isFalse();
		assertThat(map.equals(Map.of("a", "1", "c", "2"))).isFalse();
		assertThat(map.equals(Map.of("a", "1"))).isFalse();
		assertThat(map.equals(new TreeMap<>(Map.of(1, "1", 2, "2")))).isFalse();
		assertThat(map.equals(CompactMap.of(new Object[] { "a", "1", "c", null }, 2))).isFalse();
		assertThat(map.equals("{a=1, b=null}")).isFalse();
		assertThat(map.keySet().equals(Set.of("a", "c"))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 16, 17, 256, 257 })
	void ofEqualKeysTheLastValueCountsAtTheFirstPlace(int entries) {
		Random random = new Random(entries);
		for (int round = 0; round < 50; round++) {
			Object[] keysAndValues = new Object[2 * entries];
			Map<String, @Nullable String> expected = new LinkedHashMap<>();
			for (int i = 0; i < entries; i++) {
				keysAndValues[2 * i] = "k" + random.nextInt(entries);
				keysAndValues[2 * i + 1] = "v" + i;
				expected.put((String) keysAndValues[2 * i], "v" + i);
			}
			assertSame(CompactMap.of(keysAndValues, entries), expected);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 4, 8, 12 })
	void keysOfOneHashCodeAreDistinguished(int bits) {
		Object[] keysAndValues = new Object[2 << bits];
		Map<String, @Nullable String> expected = new LinkedHashMap<>();
		for (int i = 0; i < 1 << bits; i++) {
			StringBuilder key = new StringBuilder();
			for (int bit = 0; bit < bits; bit++) {
				key.append(((i & (1 << bit)) != 0) ? "Aa" : "BB");
			}
			keysAndValues[2 * i] = key.toString();
			keysAndValues[2 * i + 1] = "v" + i;
			expected.put(key.toString(), "v" + i);
		}
		Map<String, @Nullable String> map = CompactMap.of(keysAndValues, 1 << bits);
		assertSame(map, expected);
		expected.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
		assertThat(map.get("Aa".repeat(bits + 1))).isNull();
	}

	@ParameterizedTest
	@MethodSource
	void cannotBeModified(Consumer<Map<String, @Nullable String>> change, Map<String, @Nullable String> map) {
		Map<String, @Nullable String> before = new HashMap<>(map);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> change.accept(map))
			.withMessageContaining("Informers.copyOf");
		assertThat(map.equals(before)).isTrue();
	}

	static Stream<Arguments> cannotBeModified() {
		Map<String, Consumer<Map<String, @Nullable String>>> changes = new LinkedHashMap<>();
		changes.put("put", (map) -> map.put("k1", "v"));
		changes.put("putAll", (map) -> map.putAll(Map.of()));
		changes.put("putIfAbsent", (map) -> map.putIfAbsent("k1", "v"));
		changes.put("remove", (map) -> map.remove("not there"));
		changes.put("remove pair", (map) -> map.remove("not there", "v"));
		changes.put("replace", (map) -> map.replace("not there", "v"));
		changes.put("replace pair", (map) -> map.replace("not there", "v", "w"));
		changes.put("replaceAll", (map) -> map.replaceAll((key, value) -> value));
		changes.put("compute", (map) -> map.compute("not there", (key, value) -> value));
		changes.put("computeIfAbsent", (map) -> map.computeIfAbsent("k1", (key) -> null));
		changes.put("computeIfPresent", (map) -> map.computeIfPresent("not there", (key, value) -> value));
		changes.put("merge", (map) -> map.merge("k1", "v", (one, other) -> one));
		changes.put("clear", Map::clear);
		changes.put("keySet clear", (map) -> map.keySet().clear());
		changes.put("keySet remove", (map) -> map.keySet().remove("not there"));
		changes.put("keySet removeIf", (map) -> map.keySet().removeIf((key) -> false));
		changes.put("values clear", (map) -> map.values().clear());
		changes.put("values remove", (map) -> map.values().remove("not there"));
		changes.put("values add", (map) -> map.values().add("a"));
		changes.put("entrySet clear", (map) -> map.entrySet().clear());
		changes.put("entrySet removeAll", (map) -> map.entrySet().removeAll(List.of()));
		changes.put("entrySet retainAll", (map) -> map.entrySet().retainAll(map.entrySet()));
		Map<String, Consumer<Map<String, @Nullable String>>> ofEntries = new LinkedHashMap<>();
		ofEntries.put("entry setValue", (map) -> map.entrySet().iterator().next().setValue("v"));
		ofEntries.put("keySet iterator remove", (map) -> removeFirst(map.keySet().iterator()));
		ofEntries.put("values iterator remove", (map) -> removeFirst(map.values().iterator()));
		ofEntries.put("entrySet iterator remove", (map) -> removeFirst(map.entrySet().iterator()));
		return Stream.of(0, 1, 5, 20, 300)
			.map(CompactMapTests::numbered)
			.flatMap((map) -> Stream
				.concat(changes.entrySet().stream(), map.isEmpty() ? Stream.empty() : ofEntries.entrySet().stream())
				.map((change) -> Arguments.of(Named.of(change.getKey(), change.getValue()),
						Named.of(map.size() + " entries", map))));
	}

	private static void removeFirst(Iterator<?> iterator) {
		iterator.next();
		iterator.remove();
	}

	@Test
	void keysAndValuesAreCopiedAsFarAsTheyCount() {
		Object[] scratch = { "a", "1", "b", "2", "left", "over" };
		Map<String, @Nullable String> map = CompactMap.of(scratch, 2);
		Arrays.fill(scratch, "changed");
		assertThat(map.toString()).isEqualTo("{a=1, b=2}");
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> CompactMap.of(scratch, 4));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> CompactMap.of(scratch, -1));
	}

	@Test
	void emptyMapIsShared() {
		assertThat((Object) CompactMap.of(new Object[0], 0)).isSameAs(CompactMap.of(new Object[] { "a", "b" }, 0));
	}

	@Test
	void keysMayBeOfAnyClassAndNull() {
		Map<@Nullable Object, Integer> expected = new LinkedHashMap<>();
		expected.put(7L, 1);
		expected.put(null, 2);
		Map<@Nullable Object, @Nullable Integer> map = CompactMap.copyOf(expected);
		assertThat(map.get(null)).isEqualTo(2);
		assertThat(map.get(7L)).isEqualTo(1);
		assertThat(map.get(7)).isNull();
		assertThat(map.equals(expected)).isTrue();
	}

	@Test
	void iteratorEnds() {
		Iterator<String> keys = numbered(1).keySet().iterator();
		keys.next();
		assertThat(keys.hasNext()).isFalse();
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(keys::next);
	}

	@Test
	void isWrittenAsAMapByGsonAndJackson() {
		Map<String, @Nullable Object> map = CompactMap
			.of(new Object[] { "z", "1", "a", CompactMap.of(new Object[] { "b", "2" }, 1), "e", numbered(0) }, 3);
		String json = "{\"z\":\"1\",\"a\":{\"b\":\"2\"},\"e\":{}}";
		assertThat(JSON.serialize(map)).isEqualTo(json);
		assertThat(new JsonMapper().writeValueAsString(map)).isEqualTo(json);
	}

	@Test
	void isSerializedAsAnUnmodifiableMapOfTheJdk() throws Exception {
		for (int size : new int[] { 0, 1, 20, 300 }) {
			Map<String, @Nullable String> map = numbered(size);
			Object read = CompactListTests.serializedAndRead(map);
			assertThat(read.equals(map)).isTrue();
			assertThat(read).hasToString(map.toString());
			assertThat(read).hasSameClassAs(Collections.unmodifiableMap(new HashMap<>()));
		}
	}

	private static Map<String, @Nullable String> numbered(int size) {
		Object[] keysAndValues = new Object[2 * size];
		for (int i = 0; i < size; i++) {
			keysAndValues[2 * i] = "k" + (size - i);
			keysAndValues[2 * i + 1] = "v" + i;
		}
		return CompactMap.of(keysAndValues, size);
	}

	private static String key(Random random) {
		return "k" + random.nextInt(1000);
	}

	private static @Nullable String value(Random random) {
		int number = random.nextInt(5);
		return (number > 0) ? "v" + number : null;
	}

}
