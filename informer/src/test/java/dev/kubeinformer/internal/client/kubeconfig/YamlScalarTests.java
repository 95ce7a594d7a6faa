package dev.kubeinformer.internal.client.kubeconfig;

import java.math.BigInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Plain scalars as kubectl 1.36 reads them.
 */
class YamlScalarTests {

	@ParameterizedTest
	@ValueSource(strings = { "abc", "2024-01-01", "2024-01-01T00:00:00Z", "2024-01-01 00:00:00", "1:30", "190:20:30",
			"tRue", "=", "<<", "0.1e", "1e", "1e999", "0x", "0o", "0b", "_1", "1,000", "0777x", "1.2.3", "+", ".", "-",
			"0b12", "0xg", "+-1", "١", "99999999999999999999x", "nULL", "yEs", "a#b", ".5.", "-.x" })
	void textShouldStayAText(String text) {
		assertThat(YamlScalar.resolve(text)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "-0, 0", "+1, 1", "017, 15", "0o17, 15", "0x1F, 31", "-0x1F, -31", "0b101, 5", "1_000, 1000",
			"1_, 1", "9223372036854775807, 9223372036854775807", "-9223372036854775808, -9223372036854775808" })
	void wholeNumberShouldBeANumber(String text, long value) {
		assertThat(YamlScalar.resolve(text)).isEqualTo(value);
	}

	@Test
	void wholeNumberShouldHaveSixtyFourBitsAtMost() {
		assertThat(YamlScalar.resolve("18446744073709551615"))
			.isEqualTo(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
		assertThat(YamlScalar.resolve("18446744073709551616")).isEqualTo(18446744073709551616.0);
	}

	@ParameterizedTest
	@CsvSource({ "1.5, 1.5", "1., 1", "-.5, -0.5", ".5, 0.5", "1e3, 1000", "12e03, 12000", "1E-2, 0.01", "08, 8",
			"+1.5, 1.5" })
	void decimalNumberShouldBeANumber(String text, double value) {
		assertThat(YamlScalar.resolve(text)).isEqualTo(value);
	}

	@ParameterizedTest
	@CsvSource({ "y, true", "Y, true", "yes, true", "on, true", "ON, true", "true, true", "TRUE, true", "n, false",
			"No, false", "off, false", "False, false" })
	void wordOfYamlOneDotOneShouldBeAFlag(String text, boolean value) {
		assertThat(YamlScalar.resolve(text)).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "~", "null", "Null", "NULL" })
	void nothingShouldBeNull(String text) {
		assertThat(YamlScalar.resolve(text)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { ".inf", "-.Inf", "+.INF", ".nan", ".NaN" })
	void numberThatJsonDoesNotHaveShouldBeRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> YamlScalar.resolve(text));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			tag:yaml.org,2002:str |       123 |        123
			tag:yaml.org,2002:str |       true |       true
			tag:yaml.org,2002:binary |    YWJj |       abc
			tag:yaml.org,2002:timestamp | 2024-01-01 | 2024-01-01
			tag:yaml.org,2002:null |      ~ |          -
			tag:yaml.org,2002:float |     1 |          1.0
			tag:yaml.org,2002:int |       0x1F |       31
			tag:yaml.org,2002:bool |      yes |        true
			!mine |                       123 |        123
			""")
	void tagShouldCount(String tag, String text, @Nullable String value) {
		Object resolved = YamlScalar.resolve(tag, text);
		assertThat((resolved != null) ? resolved.toString() : null).isEqualTo(value);
	}

	@ParameterizedTest
	@CsvSource({ "int, x", "int, 1.5", "bool, x", "bool, 1", "null, x", "float, x", "timestamp, x" })
	void valueThatDoesNotFitItsTagShouldBeRefused(String tag, String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> YamlScalar.resolve("tag:yaml.org,2002:" + tag, text));
	}

}
