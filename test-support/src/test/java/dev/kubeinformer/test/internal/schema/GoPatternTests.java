package dev.kubeinformer.test.internal.schema;

import java.util.regex.PatternSyntaxException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GoPatternTests {

	@Test
	void endShouldNotMatchBeforeALineBreak() {
		assertThat(GoPattern.compile("^a$").matcher("a\n").find()).isFalse();
		assertThat(GoPattern.compile("^a$").matcher("a").find()).isTrue();
	}

	@Test
	void classShouldBeReadAsByGo() {
		assertThat(GoPattern.compile("^[[:digit:]x[&]+$").matcher("1x[&").find()).isTrue();
		assertThat(GoPattern.compile("^[]a]+$").matcher("]a").find()).isTrue();
		assertThat(GoPattern.compile("(?P<n>a)").matcher("a").find()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "(?=a)", "(a)\\1", "([", "a(", "*" })
	void expressionThatGoRefusesShouldBeRefused(String expression) {
		assertThatExceptionOfType(PatternSyntaxException.class).isThrownBy(() -> GoPattern.compile(expression));
	}

}
