package dev.kubeinformer.types;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.store.CollidingNames;

import static org.assertj.core.api.Assertions.assertThat;

class ObjectKeyTests {

	// Checks the comparison that the JDK's hash tables need, so that many keys of one
	// hash code cost little.
	@Test
	void keysHaveAnOrderThatIsThatOfEquality() {
		assertThat(Comparable.class).isAssignableFrom(ObjectKey.class);
		List<ObjectKey> keys = new ArrayList<>();
		for (String namespace : List.of("an", "c0", "")) {
			CollidingNames.of(3).forEach((name) -> keys.add(new ObjectKey(namespace, name)));
		}
		Collections.shuffle(keys);
		for (ObjectKey one : keys) {
			for (ObjectKey other : keys) {
				assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
				assertThat(Integer.signum(one.compareTo(other))).isEqualTo(-Integer.signum(other.compareTo(one)));
			}
		}
	}

	@Test
	void namesThatWereChosenToHaveOneHashHaveDifferentOnesHere() {
		List<String> names = CollidingNames.of(8);
		assertThat(names.stream().map(String::hashCode).distinct()).hasSize(1);
		assertThat(names.stream().map((name) -> new ObjectKey("web", name).hashCode()).distinct())
			.hasSizeGreaterThan(names.size() * 9 / 10);
		assertThat(new ObjectKey("a", "b")).hasSameHashCodeAs(new ObjectKey("a", "b"));
	}

}
