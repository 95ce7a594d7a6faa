package dev.kubeinformer.test.internal.schema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

class GoTextTests {

	@ParameterizedTest
	@CsvSource({ "0.3, 0.3", "1e30, 1e+30", "12345678901.5, 1.23456789015e+10", "100, 100", "1e20, 1e+20",
			"0.00001, 1e-05", "-2.5, -2.5" })
	void numberShouldBeThatOfGo(double number, String text) {
		assertThat(GoText.number(number)).isEqualTo(text);
	}

	@Test
	void objectShouldHaveSortedKeysAndEscapes() {
		assertThat(GoText.json(Json.readObject("{\"b\":[1,1e30],\"a\":\"x>y\"}")))
			.isEqualTo("{\"a\":\"x\\u003ey\",\"b\":[1,1e+30]}");
	}

	@Test
	void textShouldBeQuoted() {
		assertThat(GoText.quoted("a\"\\\n")).isEqualTo("\"a\\\"\\\\\\n\"");
	}

}
