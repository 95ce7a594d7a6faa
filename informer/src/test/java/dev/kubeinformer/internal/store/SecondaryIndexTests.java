package dev.kubeinformer.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Protection of an index against chosen names and values: the persistent maps search all
 * keys of one hash linearly.
 */
class SecondaryIndexTests {

	private static final int COUNT = 2_000;

	private final List<String> names = CollidingNames.of(COUNT);

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	@Test
	void valuesOfOneHashCodeAreSpread() {
		this.store.addIndexers(Map.of("name", List::of));
		fill();
		assertSpread(index("name").byValue().keySet());
		assertThat(this.names).allMatch((name) -> List.of(name).equals(this.store.snapshot().byIndex("name", name)));
	}

	@Test
	void objectsOfOneHashCodeAreSpread() {
		this.store.addIndexers(Map.of("all", (name) -> List.of("all")));
		fill();
		assertSpread(index("all").byValue().values().iterator().next().keySet());
		assertThat(this.store.snapshot().byIndex("all", "all")).containsExactlyInAnyOrderElementsOf(this.names);
		assertThat(this.store.snapshot().keysByIndex("all", "all"))
			.containsExactlyInAnyOrderElementsOf(this.names.stream().map((name) -> "ns/" + name).toList());
	}

	private void fill() {
		this.store.writer("")
			.replace(this.names.stream().map((name) -> new StoredObject<>("ns", name, "", "1", name)).toList(),
					List.of(), false, "1", false);
	}

	private SecondaryIndex<String> index(String name) {
		return this.store.snapshot().indexes().get(name);
	}

	private static void assertSpread(Collection<?> keys) {
		assertThat(keys).hasSize(COUNT);
		assertThat(keys.stream().map(Object::hashCode).distinct().count()).isGreaterThan(COUNT - 10);
	}

}
