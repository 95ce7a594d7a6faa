package dev.kubeinformer.internal.informer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CopyOnFirstWriteListTests {

	private static final List<String> SOURCE = List.of("c", "a", "d", "b", "a");

	static List<Map.Entry<String, Consumer<List<String>>>> changes() {
		return List.of(Map.entry("set", (list) -> list.set(1, "x")), Map.entry("add", (list) -> list.add("x")),
				Map.entry("add at", (list) -> list.add(2, "x")), Map.entry("remove", (list) -> list.remove("a")),
				Map.entry("remove at", (list) -> list.remove(0)),
				Map.entry("addAll", (list) -> list.addAll(List.of("x", "y"))),
				Map.entry("addAll at", (list) -> list.addAll(1, List.of("x", "y"))),
				Map.entry("removeIf", (list) -> list.removeIf("a"::equals)),
				Map.entry("removeAll", (list) -> list.removeAll(List.of("a", "d"))),
				Map.entry("retainAll", (list) -> list.retainAll(List.of("a", "d"))),
				Map.entry("replaceAll", (list) -> list.replaceAll((each) -> each + each)),
				Map.entry("sort", (list) -> list.sort(Comparator.naturalOrder())), Map.entry("clear", List::clear),
				Map.entry("clear of a part", (list) -> list.subList(1, 3).clear()),
				Map.entry("shuffle", (list) -> Collections.shuffle(list, new Random(3))),
				Map.entry("iterator", (list) -> {
					Iterator<String> iterator = list.iterator();
					while (iterator.hasNext()) {
						if (iterator.next().equals("a")) {
							iterator.remove();
						}
					}
				}), Map.entry("listIterator", (list) -> {
					ListIterator<String> iterator = list.listIterator();
					iterator.next();
					iterator.set("x");
					iterator.add("y");
					iterator.next();
					iterator.remove();
				}));
	}

	@ParameterizedTest
	@MethodSource("changes")
	void changeIsThatOfAnArrayListAndNobodyElseSeesIt(Map.Entry<String, Consumer<List<String>>> change) {
		List<String> expected = new ArrayList<>(SOURCE);
		CopyOnFirstWriteList<String> list = new CopyOnFirstWriteList<>(SOURCE);
		for (int i = 0; i < 2 && !expected.isEmpty(); i++) {
			if (expected.size() > 4) {
				change.getValue().accept(expected);
				change.getValue().accept(list);
			}
			assertThat(list).isEqualTo(expected).hasSameHashCodeAs(expected);
			assertThat(list.toArray()).isEqualTo(expected.toArray());
			assertThat(list.toArray(new String[0])).isEqualTo(expected.toArray(new String[0]));
			assertThat(list.stream()).containsExactlyElementsOf(expected);
			List<String> each = new ArrayList<>();
			list.forEach(each::add);
			assertThat(each).isEqualTo(expected);
			assertThat(list.contains("d")).isEqualTo(expected.contains("d"));
		}
	}

	@Test
	void isNotCopiedBeforeItIsChanged() {
		List<Object> source = new ArrayList<>(List.of(1, 2));
		CopyOnFirstWriteList<Object> list = new CopyOnFirstWriteList<>(source);
		assertThat(list).containsExactly(1, 2);
		source.set(0, 3);
		assertThat(list).containsExactly(3, 2);
		list.set(1, 4);
		source.set(0, 5);
		assertThat(list).containsExactly(3, 4);
		assertThat(source).containsExactly(5, 2);
	}

	@Test
	void iteratorRemovesOnlyWhatItHasReturned() {
		CopyOnFirstWriteList<String> list = new CopyOnFirstWriteList<>(SOURCE);
		Iterator<String> iterator = list.iterator();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(iterator::remove);
		iterator.next();
		iterator.remove();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(iterator::remove);
		assertThat(iterator.next()).isEqualTo("a");
		Iterator<String> other = new CopyOnFirstWriteList<>(SOURCE).iterator();
		assertThat(other.next()).isEqualTo("c");
	}

	@Test
	void iteratorDoesNotRemoveFromAListThatWasChangedBesides() {
		CopyOnFirstWriteList<String> list = new CopyOnFirstWriteList<>(SOURCE);
		Iterator<String> iterator = list.iterator();
		iterator.next();
		list.add(0, "x");
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(iterator::remove);
		assertThat(list).hasSize(SOURCE.size() + 1);
	}

}
