package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ObjectTableTests {

	/** Endings of names that a page keeps as text, and of others. */
	private static final String[] ENDS = { "", "-7d9f8b6c5d-x2x4z", "", "ÿ", "Ā", "-x".repeat(100) };

	private Names kind = Names.USUAL;

	private int objects;

	@ParameterizedTest
	@CsvSource({ "5, USUAL", "40, USUAL", "3000, USUAL", "500, EVERY_SECOND_COLLIDING", "3000, COLLIDING" })
	void tableIsAsAMapWouldBeAndEarlierOnesStayAsTheyWere(int names, Names kind) {
		this.kind = kind;
		Random random = new Random(names);
		ObjectTable<Integer> table = ObjectTable.empty();
		Map<String, StoredObject<Integer>> model = new HashMap<>();
		List<ObjectTable<Integer>> tables = new ArrayList<>();
		List<Map<String, StoredObject<Integer>>> models = new ArrayList<>();
		for (int round = 0; round < 200; round++) {
			ObjectTable.Builder<Integer> builder = table.builder();
			// Sometimes it grows, sometimes it shrinks to nothing.
			boolean growing = (round / 40) % 2 == 0;
			for (int i = random.nextInt(names / 2); i >= 0; i--) {
				StoredObject<Integer> object = object(name(random.nextInt(names)));
				if (random.nextInt(10) < (growing ? 8 : 1)) {
					assertThat(builder.put(object)).isSameAs(model.put(object.name(), object));
				}
				else {
					assertThat(builder.remove(object.name())).isSameAs(model.remove(object.name()));
				}
				String any = name(random.nextInt(names));
				assertThat(builder.get(any)).isSameAs(model.get(any));
			}
			assertThat(builder.isEmpty()).isEqualTo(model.isEmpty());
			table = builder.build();
			tables.add(table);
			models.add(new HashMap<>(model));
		}
		for (int i = 0; i < tables.size(); i++) {
			assertSame(tables.get(i), models.get(i), names);
		}
	}

	private void assertSame(ObjectTable<Integer> table, Map<String, StoredObject<Integer>> model, int names) {
		assertThat(table.size()).isEqualTo(model.size());
		for (int i = 0; i < names; i++) {
			StoredObject<Integer> expected = model.get(name(i));
			Integer object = (expected != null) ? expected.object() : null;
			// Each assertion of AssertJ costs more than a look into the table.
			if (table.get(name(i)) != expected || table.object(name(i)) != object) {
				assertThat(table.get(name(i))).isSameAs(expected);
				assertThat(table.object(name(i))).isSameAs(object);
			}
		}
		List<StoredObject<Integer>> each = new ArrayList<>();
		table.forEach(each::add);
		assertThat(each).hasSameSizeAs(model.values());
		Map<String, StoredObject<Integer>> byName = new HashMap<>();
		each.forEach((object) -> byName.put(object.name(), object));
		assertThat(byName).isEqualTo(model);
		List<StoredObject<Integer>> iterated = new ArrayList<>();
		table.iterator().forEachRemaining(iterated::add);
		assertThat(iterated).containsExactlyElementsOf(each);
	}

	@Test
	void builderThatGoesOnAfterwardsLeavesWhatItHasBuilt() {
		ObjectTable.Builder<Integer> builder = ObjectTable.<Integer>empty().builder();
		builder.put(object("a"));
		ObjectTable<Integer> first = builder.build();
		assertThat(builder.build()).isSameAs(first);
		builder.put(object("b"));
		builder.remove("a");
		assertThat(first.size()).isOne();
		assertThat(first.get("a")).isNotNull();
		assertThat(first.get("b")).isNull();
		assertThat(builder.build().get("b")).isNotNull();
	}

	@Test
	void namesOfEqualHashAreDistinguished() {
		List<String> names = List.of("AaAaAa", "AaAaBB", "AaBBAa", "BBAaAa");
		assertThat(names).extracting(ObjectTable::hash).containsOnly(ObjectTable.hash(names.get(0)));
		ObjectTable.Builder<Integer> builder = ObjectTable.<Integer>empty().builder();
		names.forEach((name) -> builder.put(object(name)));
		StoredObject<Integer> second = object("AaBBAa");
		assertThat(builder.put(second)).isNotNull().isNotSameAs(second);
		assertThat(builder.get("AaBBAa")).isSameAs(second);
		names.subList(0, 2).forEach(builder::remove);
		assertThat(builder.build()).extracting(StoredObject::name).containsExactlyInAnyOrder("AaBBAa", "BBAaAa");
		assertThat(builder.build().get("BBBBBB")).isNull();
		names.forEach(builder::remove);
		assertThat(builder.isEmpty()).isTrue();
	}

	@Test
	void namesThatWereChosenToHaveOneHashAreSpread() {
		ObjectTable.Builder<Integer> builder = ObjectTable.<Integer>empty().builder();
		List<String> names = CollidingNames.of(20_000);
		names.subList(0, 10_000).forEach((name) -> builder.put(object(name)));
		assertSpread(builder.build());
		// Each comes alone, as in a watch.
		names.subList(10_000, 11_000).forEach((name) -> {
			builder.put(object(name));
			builder.build();
		});
		names.subList(11_000, 20_000).forEach((name) -> builder.put(object(name)));
		ObjectTable<Integer> table = builder.build();
		assertSpread(table);
		assertThat(names).allMatch((name) -> table.get(name) != null);
		assertThat(table.get(CollidingNames.name(20_000))).isNull();
	}

	// A change copies a page, and a read looks at one.
	private static void assertSpread(ObjectTable<?> table) {
		assertThat(table.longest()).isLessThan(table.size() / 20);
	}

	@Test
	void namesThatAreManyByAccidentKeepTheirOwnHash() {
		ObjectTable.Builder<Integer> builder = ObjectTable.<Integer>empty().builder();
		for (int i = 0; i < 50_000; i++) {
			builder.put(object("pod-" + i));
		}
		// Objects come in the order of the hashes of their names.
		assertThat(builder.build()).extracting((object) -> ObjectTable.hash(object.name()))
			.isSortedAccordingTo(Integer::compareUnsigned);
	}

	@Test
	void largeTableGrowsAndShrinks() {
		int names = 200_000;
		ObjectTable.Builder<Integer> builder = ObjectTable.<Integer>empty().builder();
		List<StoredObject<Integer>> all = new ArrayList<>();
		for (int i = 0; i < names; i++) {
			all.add(object(name(i)));
			builder.put(all.get(i));
		}
		ObjectTable<Integer> large = builder.build();
		for (int i = 1; i < names; i++) {
			builder.remove(name(i));
			if (i % 50_000 == 0) {
				assertThat(builder.build().size()).isEqualTo(names - i);
			}
		}
		ObjectTable<Integer> small = builder.build();
		assertThat(small).containsExactly(all.get(0));
		assertThat(small.get(name(0))).isSameAs(all.get(0));
		assertThat(large.size()).isEqualTo(names);
		assertThat(all).allMatch((object) -> large.get(object.name()) == object);
	}

	@Test
	void namesThatDifferOnlyWhereTheyAreNoTextAreDistinguished() {
		String latin = "kubern";
		// A name of the same hash whose characters have equal lowest bytes.
		String wide = "\u0f6b\u6275\u0262\u5f65\u1072n";
		assertThat(ObjectTable.hash(wide)).isEqualTo(ObjectTable.hash(latin));
		ObjectTable.Builder<Integer> builder = ObjectTable.<Integer>empty().builder();
		builder.put(object(latin));
		builder.put(object("a".repeat(63)));
		builder.put(object("a".repeat(64)));
		ObjectTable<Integer> table = builder.build();
		assertThat(table.get(wide)).isNull();
		assertThat(table.get(latin)).isNotNull();
		for (int length = 62; length <= 65; length++) {
			StoredObject<Integer> found = table.get("a".repeat(length));
			assertThat(found != null).isEqualTo(length == 63 || length == 64);
		}
	}

	@Test
	void iteratorEnds() {
		Iterator<StoredObject<Integer>> iterator = ObjectTable.<Integer>empty().iterator();
		assertThat(iterator.hasNext()).isFalse();
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
	}

	private String name(int number) {
		if (this.kind == Names.COLLIDING || (this.kind == Names.EVERY_SECOND_COLLIDING && number % 2 == 0)) {
			return CollidingNames.name(number);
		}
		// Every fourth shares its hash with another one.
		return ((number % 4 == 0) ? "Aa" : (number % 4 == 1) ? "BB" : "pod-") + number / 4 * 4
				+ ((number % 4 < 2) ? "" : "-" + number) + ENDS[number / 4 % ENDS.length];
	}

	private StoredObject<Integer> object(String name) {
		return new StoredObject<>("ns", name, "", "", this.objects++);
	}

	private enum Names {

		USUAL, EVERY_SECOND_COLLIDING, COLLIDING

	}

}
