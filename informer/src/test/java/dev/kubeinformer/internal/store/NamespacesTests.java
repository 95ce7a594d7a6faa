package dev.kubeinformer.internal.store;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NamespacesTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	@Test
	void namespacesOfOneHashCodeAreSpread() {
		List<String> namespaces = CollidingNames.of(1_000);
		list(namespaces);
		StoreSnapshot<String> snapshot = this.store.snapshot();
		assertThat(snapshot.objects().tables().keySet().stream().map(Object::hashCode).distinct().count())
			.isGreaterThan(990);
		assertThat(snapshot.namespaces()).containsExactlyInAnyOrderElementsOf(namespaces);
		assertThat(namespaces).allMatch((namespace) -> List.of(namespace).equals(snapshot.list(namespace)));
		list(namespaces.subList(0, 3));
		assertThat(this.store.snapshot().namespaces()).containsExactlyInAnyOrderElementsOf(namespaces.subList(0, 3));
		assertThat(this.store.snapshot().list(namespaces.get(3))).isEmpty();
		assertThat(this.store.snapshot().size(namespaces.get(0))).isOne();
	}

	@Test
	void namespacesThatComeAndGoAreFoundByTheirOwnHash() {
		for (int i = 0; i < 50; i++) {
			list(List.of(CollidingNames.name(i), "default"));
		}
		assertThat(this.store.snapshot().objects().tables().keySet()).containsExactlyInAnyOrder(CollidingNames.name(49),
				"default");
	}

	private void list(List<String> namespaces) {
		this.store.writer("")
			.replace(namespaces.stream().map((each) -> new StoredObject<>(each, "a", "", "1", each)).toList(),
					List.of(), false, "1", false);
	}

}
