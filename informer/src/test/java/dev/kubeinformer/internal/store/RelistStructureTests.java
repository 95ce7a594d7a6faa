package dev.kubeinformer.internal.store;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.text.TextBytes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Additional memory of a list, measured by counting reachable objects: no timing, and no
 * figure of a collector.
 */
class RelistStructureTests {

	private static final int OBJECTS = 20_000;

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	@Test
	void listOfWhatHasNotChangedHoldsLessThanABytePerObject() {
		List<StoredObject<String>> all = new ArrayList<>();
		for (int i = 0; i < OBJECTS; i++) {
			all.add(new StoredObject<>("n" + i % 7, "name-" + i, "uid-" + i, Integer.toString(i + 1), "object"));
		}
		this.store.writer("").replace(all, List.of(), false, "30000", false);
		StoreSnapshot<String> snapshot = this.store.snapshot();
		UnchangedObjects<String> unchanged = new UnchangedObjects<>(snapshot, "");
		for (StoredObject<String> each : all) {
			assertThat(unchanged.include(text(each.namespace()), text(each.name()), text(each.uid()),
					text(each.resourceVersion())))
				.isTrue();
		}
		assertThat(unchanged.size()).isEqualTo(OBJECTS);
		assertThat(bytesBeside(unchanged, snapshot)).isLessThan(OBJECTS);
	}

	@Test
	void pagesWithoutAChangeAreThoseOfTheCacheBefore() {
		List<StoredObject<String>> all = new ArrayList<>();
		for (int i = 0; i < OBJECTS; i++) {
			all.add(new StoredObject<>("", "name-" + i, "uid-" + i, Integer.toString(i + 1), "object"));
		}
		this.store.writer("").replace(all, List.of(), false, "30000", false);
		StoreSnapshot<String> before = this.store.snapshot();
		UnchangedObjects<String> unchanged = new UnchangedObjects<>(before, "");
		all.stream()
			.skip(1)
			.forEach((each) -> unchanged.include(text(""), text(each.name()), text(each.uid()),
					text(each.resourceVersion())));
		StoredObject<String> changed = new StoredObject<>("", "name-0", "uid-0", "30001", "object");
		this.store.writer("").replace(List.of(changed), unchanged, List.of(), false, "30002", false);
		Set<NamePage<String>> pages = Collections.newSetFromMap(new IdentityHashMap<>());
		before.objects().tables().values().forEach((table) -> table.forEachPage(pages::add));
		List<NamePage<String>> copied = new ArrayList<>();
		this.store.snapshot().objects().tables().values().forEach((table) -> table.forEachPage((page) -> {
			if (!pages.contains(page)) {
				copied.add(page);
			}
		}));
		assertThat(pages.size()).isGreaterThan(50);
		assertThat(copied).hasSize(1);
		assertThat(this.store.snapshot().size()).isEqualTo(OBJECTS);
		assertThat(this.store.snapshot().find("", "name-0")).isSameAs(changed);
	}

	private static TextBytes text(String value) {
		byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
		TextBytes text = new TextBytes();
		text.set(bytes, 0, bytes.length);
		return text;
	}

	// Arrays and objects of ours; of the JDK's, bit sets and arrays count.
	private static long bytesBeside(Object root, Object without) {
		Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		walk(without, seen);
		long before = seen.stream().mapToLong(RelistStructureTests::bytes).sum();
		walk(root, seen);
		return seen.stream().mapToLong(RelistStructureTests::bytes).sum() - before;
	}

	private static long bytes(Object object) {
		if (object instanceof BitSet bits) {
			return bits.size() / 8;
		}
		if (!object.getClass().isArray()) {
			return 24;
		}
		return 16 + (long) Array.getLength(object)
				* ((object instanceof byte[]) ? 1 : (object instanceof long[]) ? 8 : 4);
	}

	private static void walk(Object root, Set<Object> seen) {
		Deque<Object> open = new ArrayDeque<>();
		push(root, seen, open);
		while (!open.isEmpty()) {
			Object object = open.pop();
			if (object instanceof Object[] elements) {
				for (Object element : elements) {
					push(element, seen, open);
				}
			}
			else if (object instanceof Iterable<?> elements && !(object instanceof ObjectTable)) {
				elements.forEach((element) -> push(element, seen, open));
			}
			else if (object instanceof java.util.Map<?, ?> map) {
				map.forEach((key, value) -> {
					push(key, seen, open);
					push(value, seen, open);
				});
			}
			else if (object.getClass().getName().startsWith("dev.kubeinformer.")) {
				fields(object, seen, open);
			}
		}
	}

	private static void fields(Object object, Set<Object> seen, Deque<Object> open) {
		for (Field field : object.getClass().getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
				field.setAccessible(true);
				try {
					push(field.get(object), seen, open);
				}
				catch (IllegalAccessException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}
	}

	private static void push(Object object, Set<Object> seen, Deque<Object> open) {
		if (object != null && seen.add(object)) {
			open.push(object);
		}
	}

}
