package dev.kubeinformer.internal.codec.json;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Content of a status patch. */
class StatusPatchTests {

	@Test
	void onlyWhatDiffersIsNamed() {
		StatusPatch patch = StatusPatch.between(
				status(Map.of("ready", 1, "same", "x", "inner", Map.of("a", 1, "b", 2))),
				status(Map.of("ready", 2, "same", "x", "inner", Map.of("a", 1, "b", 3))));
		assertThat(patch.status()).isEqualTo(Map.of("ready", 2, "inner", Map.of("b", 3)));
		assertThat(patch.body("7")).isEqualTo(Map.of("status", patch.status()));
	}

	@Test
	void whatWasRemovedIsNull() {
		StatusPatch patch = StatusPatch.between(status(Map.of("ready", 1, "inner", Map.of("a", 1))),
				status(Map.of("inner", Map.of())));
		assertThat(patch.status()).containsEntry("ready", null)
			.containsEntry("inner", Collections.singletonMap("a", null));
	}

	@Test
	void listIsReplacedOnlyInTheVersionThatWasCompared() {
		StatusPatch patch = StatusPatch.between(status(Map.of("list", List.of(1))),
				status(Map.of("list", List.of(1, 2))));
		assertThat(patch.body("7"))
			.isEqualTo(Map.of("metadata", Map.of("resourceVersion", "7"), "status", Map.of("list", List.of(1, 2))));
		assertThat(patch.body(null)).containsOnlyKeys("status");
		assertThat(StatusPatch.between(status(Map.of()), status(Map.of("inner", Map.of("list", List.of(1)))))
			.replacesList()).isTrue();
	}

	@Test
	void removedListAsksForTheVersionToo() {
		assertThat(StatusPatch.between(status(Map.of("list", List.of(1))), status(Map.of())).replacesList()).isTrue();
	}

	@Test
	void emptyStatusIsNone() {
		assertThat(StatusPatch.between(Map.of(), status(Map.of())).isEmpty()).isTrue();
		assertThat(StatusPatch.between(status(Map.of()), Map.of()).isEmpty()).isTrue();
	}

	@Test
	void otherChangesAreRefusedByPathWithoutValues() {
		Map<String, Object> before = Map.of("spec", Map.of("items", Arrays.asList(Map.of("a", 1), null)));
		Map<String, Object> after = Map.of("spec", Map.of("items", Arrays.asList(Map.of("a", "hunter2"), null)));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> StatusPatch.between(before, after))
			.withMessageContaining("'spec.items[0].a'")
			.withMessageNotContaining("hunter2");
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> StatusPatch.between(Map.of(), Map.of("metadata", Map.of("labels", Map.of()))))
			.withMessageContaining("'metadata'");
	}

	private static Map<String, Object> status(Map<String, Object> status) {
		return Map.of("status", status);
	}

}
