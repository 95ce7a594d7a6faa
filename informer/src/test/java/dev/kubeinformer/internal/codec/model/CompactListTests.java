package dev.kubeinformer.internal.codec.model;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.RandomAccess;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CompactListTests {

	@Test
	void answersAsAListOfTheJdk() {
		Random random = new Random(8);
		for (int round = 0; round < 2_000; round++) {
			List<@Nullable String> expected = randomList(random, random.nextInt(8));
			List<@Nullable String> list = CompactList.copyOf(expected);
			assertThat(list.equals(expected)).isTrue();
			assertThat(expected.equals(list)).isTrue();
			assertThat(list.equals(new LinkedList<>(expected))).isTrue();
			assertThat(list).hasSameHashCodeAs(expected).hasToString(expected.toString()).hasSameSizeAs(expected);
			assertThat(list.isEmpty()).isEqualTo(expected.isEmpty());
			assertThat(list.toArray()).isEqualTo(expected.toArray());
			assertThat(list.toArray(new String[3])).isEqualTo(expected.toArray(new String[3]));
			assertThat(list.toArray(String[]::new)).isEqualTo(expected.toArray(String[]::new));
			assertThat(list.stream().collect(Collectors.toList())).isEqualTo(expected);
			List<@Nullable String> each = new ArrayList<>();
			list.forEach(each::add);
			assertThat(each).isEqualTo(expected);
			for (String question : new @Nullable String[] { "a", "b", "c", "not there", null }) {
				assertThat(list.contains(question)).isEqualTo(expected.contains(question));
				assertThat(list.indexOf(question)).isEqualTo(expected.indexOf(question));
				assertThat(list.lastIndexOf(question)).isEqualTo(expected.lastIndexOf(question));
			}
			int from = random.nextInt(expected.size() + 1);
			int to = from + random.nextInt(expected.size() - from + 1);
			assertThat(list.subList(from, to)).isEqualTo(expected.subList(from, to));
			List<@Nullable String> other = randomList(random, random.nextInt(4));
			assertThat(list.equals(other)).isEqualTo(expected.equals(other));
			assertThat(list.equals(new LinkedList<>(other))).isEqualTo(expected.equals(other));
			assertThat(list.containsAll(other)).isEqualTo(expected.containsAll(other));
		}
	}

	@Test
	void iteratorsGoBackAndForthAsThoseOfTheJdk() {
		Random random = new Random(9);
		for (int size : new int[] { 0, 1, 2, 5 }) {
			List<@Nullable String> expected = randomList(random, size);
			for (int start = 0; start <= size; start++) {
				ListIterator<@Nullable String> theirs = expected.listIterator(start);
				ListIterator<@Nullable String> ours = CompactList.copyOf(expected).listIterator(start);
				for (int step = 0; step < 50; step++) {
					assertThat(ours.hasNext()).isEqualTo(theirs.hasNext());
					assertThat(ours.hasPrevious()).isEqualTo(theirs.hasPrevious());
					assertThat(ours.nextIndex()).isEqualTo(theirs.nextIndex());
					assertThat(ours.previousIndex()).isEqualTo(theirs.previousIndex());
					if (random.nextBoolean()) {
						assertThat(outcome(ours::next)).isEqualTo(outcome(theirs::next));
					}
					else {
						assertThat(outcome(ours::previous)).isEqualTo(outcome(theirs::previous));
					}
				}
			}
		}
	}

	private static Object outcome(java.util.concurrent.Callable<@Nullable String> call) {
		try {
			return "value " + call.call();
		}
		catch (Exception ex) {
			assertThat(ex).isInstanceOf(NoSuchElementException.class);
			return ex.getClass();
		}
	}

	@ParameterizedTest
	@MethodSource
	void cannotBeModified(Consumer<List<@Nullable String>> change, List<@Nullable String> list) {
		List<@Nullable String> before = new ArrayList<>(list);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> change.accept(list))
			.withMessageContaining("Informers.copyOf");
		assertThat(list).isEqualTo(before);
	}

	static Stream<Arguments> cannotBeModified() {
		Map<String, Consumer<List<@Nullable String>>> changes = new LinkedHashMap<>();
		changes.put("add", (list) -> list.add("a"));
		changes.put("add at", (list) -> list.add(0, "a"));
		changes.put("addAll", (list) -> list.addAll(List.of()));
		changes.put("addAll at", (list) -> list.addAll(0, List.of("a")));
		changes.put("set", (list) -> list.set(0, "a"));
		changes.put("remove at", (list) -> list.remove(0));
		changes.put("remove", (list) -> list.remove("not there"));
		changes.put("removeAll", (list) -> list.removeAll(List.of()));
		changes.put("removeIf", (list) -> list.removeIf((element) -> false));
		changes.put("retainAll", (list) -> list.retainAll(new ArrayList<>(list)));
		changes.put("replaceAll", (list) -> list.replaceAll((element) -> element));
		changes.put("sort", (list) -> list.sort(null));
		changes.put("clear", List::clear);
		changes.put("add to iterator", (list) -> list.listIterator().add("a"));
		changes.put("clear of part", (list) -> list.subList(0, list.size()).clear());
		changes.put("sort of part", (list) -> list.subList(0, list.size()).sort(null));
		Map<String, Consumer<List<@Nullable String>>> ofElements = new LinkedHashMap<>();
		ofElements.put("remove by iterator", (list) -> {
			var iterator = list.iterator();
			iterator.next();
			iterator.remove();
		});
		ofElements.put("set by iterator", (list) -> {
			ListIterator<@Nullable String> iterator = list.listIterator();
			iterator.next();
			iterator.set("a");
		});
		ofElements.put("sort by Collections", (list) -> Collections.sort(list, Collections.reverseOrder()));
		ofElements.put("set of part", (list) -> list.subList(0, 1).set(0, "a"));
		List<List<@Nullable String>> lists = List.of(CompactList.of(new Object[0], 0),
				CompactList.of(new Object[] { "a" }, 1), CompactList.of(new Object[] { "a", "b", "c" }, 3));
		return lists.stream()
			.flatMap((list) -> Stream
				.concat(changes.entrySet().stream(), list.isEmpty() ? Stream.empty() : ofElements.entrySet().stream())
				.map((change) -> Arguments.of(Named.of(change.getKey(), change.getValue()), list)));
	}

	@Test
	void elementsAreCopiedAsFarAsTheyCount() {
		@Nullable Object[] scratch = { "a", null, "c", "left over" };
		List<@Nullable String> three = CompactList.of(scratch, 3);
		List<@Nullable String> one = CompactList.of(scratch, 1);
		Arrays.fill(scratch, "changed");
		assertThat(three).containsExactly("a", null, "c");
		assertThat(one).containsExactly("a");
		assertThat(CompactList.<Object>of(new String[] { "a", "b" }, 2).toArray()).isExactlyInstanceOf(Object[].class);
	}

	@Test
	void emptyListIsSharedAndAllHaveQuickAccess() {
		assertThat(CompactList.of(new Object[0], 0)).isSameAs(CompactList.of(new Object[] { "a" }, 0));
		for (int size = 0; size < 3; size++) {
			assertThat(CompactList.of(new Object[3], size)).isInstanceOf(RandomAccess.class);
		}
	}

	@Test
	void arrayGivenAwayIsNotThatOfTheList() {
		List<@Nullable String> list = CompactList.of(new Object[] { "a", "b" }, 2);
		list.toArray()[0] = "changed";
		assertThat(list).containsExactly("a", "b");
	}

	@Test
	void placesThatAreNotThereAreRefused() {
		for (int size = 0; size < 3; size++) {
			List<@Nullable String> list = CompactList.of(new Object[3], size);
			for (int index : new int[] { -1, size, size + 1 }) {
				assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(index));
			}
			int size0 = size;
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.listIterator(size0 + 1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.listIterator(-1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.subList(0, size0 + 1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.subList(-1, 0));
		}
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> CompactList.of(new Object[] { "a" }, 2));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> CompactList.of(new Object[] { "a" }, -1));
	}

	@Test
	void isWrittenAsAListByGsonAndJackson() {
		List<@Nullable Object> list = CompactList.of(
				new Object[] { "a", CompactList.of(new Object[] { "b" }, 1), CompactList.of(new Object[0], 0), "c" },
				4);
		assertThat(JSON.serialize(list)).isEqualTo("[\"a\",[\"b\"],[],\"c\"]");
		assertThat(new JsonMapper().writeValueAsString(list)).isEqualTo("[\"a\",[\"b\"],[],\"c\"]");
	}

	@Test
	void isSerializedAsAnUnmodifiableListOfTheJdk() throws Exception {
		for (int size = 0; size < 4; size++) {
			List<@Nullable String> list = CompactList.of(new Object[] { "a", null, "c" }, Math.min(size, 3));
			Object read = serializedAndRead(list);
			assertThat(read).isEqualTo(list);
			assertThat(read.getClass().getName()).startsWith("java.util.");
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> ((List<?>) read).clear());
		}
	}

	static Object serializedAndRead(Object value) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(value);
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			return in.readObject();
		}
	}

	private static List<@Nullable String> randomList(Random random, int size) {
		List<@Nullable String> list = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			list.add(new @Nullable String[] { "a", "b", "c", null }[random.nextInt(4)]);
		}
		return list;
	}

}
