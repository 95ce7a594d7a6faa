package dev.kubeinformer.test.internal.selector;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ShardSelectorTests {

	// From the authors of the function.
	@ParameterizedTest
	@CsvSource({ "'',cbf29ce484222325", "a,af63dc4c8601ec8c", "b,af63df4c8601f1a5", "foobar,85944171f73967e8" })
	void hashShouldBeFnv1a(String text, String expected) {
		assertThat(Long.toHexString(ShardSelector.hash(text))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "0x0000000000000000,0x8000000000000000,7fffffffffffffff,true",
			"0x0000000000000000,0x8000000000000000,8000000000000000,false",
			"0x8000000000000000,0x10000000000000000,8000000000000000,true",
			"0x8000000000000000,0x10000000000000000,ffffffffffffffff,true",
			"0x7fffffffffffffff,0xffffffffffffffff,ffffffffffffffff,false",
			"0x7fffffffffffffff,0xffffffffffffffff,7ffffffffffffffe,false" })
	void rangeShouldCompareWithoutASign(String start, String end, String hash, boolean contained) {
		assertThat(new ShardSelector.Range(start, end).contains(Long.parseUnsignedLong(hash, 16))).isEqualTo(contained);
	}

}
