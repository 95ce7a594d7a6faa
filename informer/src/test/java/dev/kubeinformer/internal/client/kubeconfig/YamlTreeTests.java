package dev.kubeinformer.internal.client.kubeconfig;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * YAML that kubectl accepts, and documents that are refused because they would fill the
 * memory.
 */
class YamlTreeTests {

	private static final Place PLACE = new Place("The kubeconfig");

	@Test
	void valuesShouldBeThoseOfJson() {
		assertThat(read("""
				text: abc
				quoted: '1'
				number: 1
				flag: no
				none:
				date: 2024-01-01
				list: [ 1, a, ~ ]
				block: |
				  a
				  b
				""")).isEqualTo(map("text", "abc", "quoted", "1", "number", 1L, "flag", false, "none", null, "date",
				"2024-01-01", "list", Arrays.asList(1L, "a", null), "block", "a\nb\n"));
	}

	private static Map<String, Object> map(Object... pairs) {
		Map<String, Object> map = new HashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			map.put((String) pairs[i], pairs[i + 1]);
		}
		return map;
	}

	private static Object read(String yaml) {
		return YamlTree.read(yaml, PLACE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " \n", "# nothing\n", "---\n", "---\n---\na: b\n", "~" })
	void emptyDocumentShouldBeNull(String yaml) {
		assertThat(read(yaml)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a: b\n---\nc: [ bad\n", "a: b\n...\n{ bad", "--- # first\na: b\n---\n", "{\"a\":\"b\"}}",
			"a: x\na: b", "{\"a\":\"x\",\"a\":\"b\"}", "a:\tb", "a:\t \tb", "a: b\t\n", "{ a:\tb,\t}",
			"{\t a:\t b,\t }", "{\n\ta:\n\tb,\n\t}", "{\n\t\"a\":\t\"b\"\n}\n", "\ufeffa: b", "a: b\r\n", "&x a: b",
			"? a\n: b", "a: !mine b", "'a': \"\\x62\"", "%YAML 1.1\n---\na: b" })
	void firstDocumentAndLastKeyShouldCount(String yaml) {
		assertThat(read(yaml)).isEqualTo(Map.of("a", "b"));
	}

	@Test
	void tabOfAValueShouldStay() {
		assertThat(read("a:\t'b:\tc'\nd: |\n  e:\tf\n")).isEqualTo(Map.of("a", "b:\tc", "d", "e:\tf\n"));
	}

	@Test
	void keysShouldBecomeTexts() {
		assertThat(read("{ 1: a, yes: b, 0x10: c }")).isEqualTo(Map.of("1", "a", "true", "b", "16", "c"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{ <<: *x, a: 2 }          | {a=2, b=1}
			{ a: 2, <<: *x }          | {a=1, b=1}
			{ <<: [ *x, { b: 3 } ] }  | {a=1, b=1}
			{ <<: [ { b: 3 }, *x ] }  | {a=1, b=3}
			{ '<<': *x }              | {<<={a=1, b=1}}
			""")
	void mergeKeyShouldBeThatOfYamlOneDotOne(String yaml, String merged) {
		Object tree = read("x: &x { a: 1, b: 1 }\nmerged: " + yaml);
		assertThat(new TreeMap<>((Map<?, ?>) ((Map<?, ?>) tree).get("merged"))).hasToString(merged);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			'a: s3cret: x'             | 1 | 10
			'a: b{n}s3cret: ['         | 2 | 10
			'a: b{n}{t}s3cret: x'      | 2 | 1
			'a:{n}{t}s3cret'           | 2 | 1
			'a:{n}-{t}s3cret: x'       | 2 | 2
			'a: *s3cret'               | 1 | 4
			'a: &s3cret [ *s3cret ]'   | 1 | 4
			'{ ~: s3cret }'            | 1 | 3
			'{ [ a ]: s3cret }'        | 1 | 3
			'{ <<: s3cret }'           | 1 | 7
			'a: .inf'                  | 1 | 4
			'a: !!int s3cret'          | 1 | 4
			'a: !!java.net.URL [ s3cret ]' | 1 | 4
			""")
	void whatIsNotYamlShouldBeRefusedWithItsPlaceAndWithoutQuotingIt(String yaml, int line, int column) {
		assertRefused(yaml.replace("{n}", "\n").replace("{t}", "\t"),
				"The kubeconfig is not valid YAML (line %d, column %d)".formatted(line, column));
	}

	private static void assertRefused(String yaml, String message) {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(yaml))
			.withMessage(message)
			.withNoCause()
			.satisfies((failure) -> assertThat(failure.getAction()).isNotNull().doesNotContain("s3cret"));
	}

	@Test
	void controlCharactersShouldBeRefused() {
		assertRefused("# s3cret \u0001\na: b",
				"The kubeconfig is not valid YAML: it has control characters, or is nested too deeply");
	}

	@Test
	void nestingShouldBeBounded() {
		assertThat(read("[".repeat(50) + "]".repeat(50))).isNotNull();
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read("[".repeat(100_000)));
	}

	@Test
	void sizeShouldBeBounded() {
		assertThat(read("a: " + "x".repeat(3 << 20))).isNotNull();
		assertRefused("a: " + "x".repeat(4 << 20), "The kubeconfig is larger than 4 MiB");
	}

	@Test
	void aliasesOfAliasesShouldBeBounded() {
		StringBuilder laughs = new StringBuilder("a0: &a0 s3cret\n");
		for (int i = 1; i < 10; i++) {
			laughs.append(
					"a%d: &a%d [ %s ]\n".formatted(i, i, String.join(", ", Collections.nCopies(10, "*a" + (i - 1)))));
		}
		assertRefused(laughs.toString(), "The kubeconfig has more than 200,000 values");
	}

	@ParameterizedTest
	@CsvSource({ "UTF-8, ''", "UTF-8, \ufeff", "UTF-16LE, \ufeff", "UTF-16BE, \ufeff" })
	void fileShouldBeReadInTheEncodingOfItsMark(String charset, String mark) {
		byte[] content = (mark + "a: ä\n").getBytes(Charset.forName(charset));
		assertThat(YamlTree.read(content, PLACE)).isEqualTo(Map.of("a", "ä"));
	}

	@Test
	void fileThatIsNotInUtf8ShouldBeRefused() {
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> YamlTree.read("a: ä\n".getBytes(StandardCharsets.ISO_8859_1), PLACE))
			.withMessage("The kubeconfig is not a text in UTF-8");
	}

	@Test
	void jsonShouldBeRead() {
		assertThat(read("{\n\t\"a\": [ 1, 1.5, true, null, \"\\u00e4\" ]\n}"))
			.isEqualTo(Map.of("a", Arrays.asList(1, 1.5, true, null, "ä")));
		assertThat(read("{ a: [ b, ] }")).isEqualTo(Map.of("a", List.of("b")));
	}

}
