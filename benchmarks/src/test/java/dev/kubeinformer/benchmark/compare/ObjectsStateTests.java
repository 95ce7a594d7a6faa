package dev.kubeinformer.benchmark.compare;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObjectsState}.
 */
class ObjectsStateTests {

	@Test
	void hashShouldBeTheOneOfProgramsInOtherLanguages() {
		assertThat(state("default/one@42").hex()).isEqualTo("e0c6309209ae6a98");
		assertThat(state("default/one@42", "/node@7").hex()).isEqualTo("a9d5a67aae93ff5c");
	}

	@Test
	void orderShouldNotMatter() {
		assertThat(state("a/b@1", "a/c@2", "d/b@3")).isEqualTo(state("d/b@3", "a/b@1", "a/c@2"));
	}

	@Test
	void whatDiffersShouldHaveAnotherDigest() {
		List<ObjectsState> states = List.of(ObjectsState.EMPTY, state("a/b@1", "a/c@2"), state("a/b@2", "a/c@1"),
				state("a/b@1", "a/c@3"), state("a/b@1"), state("a/c@2"), state("a/b@1", "a/b@1"),
				state("ab/@1", "a/c@2"));
		assertThat(states.stream().map(ObjectsState::hex)).doesNotHaveDuplicates();
	}

	static ObjectsState state(String... objects) {
		ObjectsState state = ObjectsState.EMPTY;
		for (String object : objects) {
			String[] parts = object.split("[/@]");
			state = state.with(ObjectsState.hash(parts[0], parts[1], parts[2]));
		}
		return state;
	}

}
