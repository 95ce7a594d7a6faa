package dev.kubeinformer.benchmark.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link External}.
 */
class ExternalTests {

	@Test
	void nameShouldEndAtTheFirstEqualsSign() {
		assertThat(External.of("other=run --pods={pods}")).isEqualTo(new External("other", "run --pods={pods}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "run", "=run", "other=", "other= " })
	void textWithoutNameOrCommandShouldBeRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> External.of(text))
			.withMessageContaining("\"" + text + "\"")
			.withMessageContaining("name=command");
	}

}
