package dev.kubeinformer.internal.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Form of external text in a log line. */
class PrintableTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "blog/web-0", "Grüße, 世界 🐳", "a\\b \"c\" 'd'" })
	void textOfOneLineIsLeftAlone(String text) {
		assertThat(PrintableText.of(text)).isSameAs(text);
	}

	@Test
	void whatChangesTheLineIsEscaped() {
		assertThat(PrintableText.of("a\r\nWARN forged\tb")).isEqualTo("a\\r\\nWARN forged\\tb");
		assertThat(PrintableText.of("a\0b\033[31mc\177")).isEqualTo("a\\u0000b\\u001B[31mc\\u007F");
		assertThat(PrintableText.of("\u0085\u2028\u2029")).isEqualTo("\\u0085\\u2028\\u2029");
		assertThat(PrintableText.of("\u202e\u2066\u200b")).isEqualTo("\\u202E\\u2066\\u200B");
		assertThat(PrintableText.of("a\ud83db\udc33")).isEqualTo("a\\uD83Db\\uDC33");
		assertThat(PrintableText.of("\udb40\udc41")).isEqualTo("\\uDB40\\uDC41");
	}

	@Test
	void longTextIsCut() {
		assertThat(PrintableText.of("x".repeat(200))).isEqualTo("x".repeat(200));
		assertThat(PrintableText.of("x".repeat(499_155))).isEqualTo("x".repeat(199) + "…");
		assertThat(PrintableText.of("x".repeat(5), 4)).isEqualTo("xxx…");
	}

	@Test
	void neitherAnEscapeNorACharacterIsCutInTheMiddle() {
		assertThat(PrintableText.of("\u2028".repeat(40))).isEqualTo("\\u2028".repeat(33) + "…").hasSize(199);
		assertThat(PrintableText.of("🐳".repeat(200))).isEqualTo("🐳".repeat(99) + "…");
	}

}
