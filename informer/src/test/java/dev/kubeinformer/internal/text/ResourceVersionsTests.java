package dev.kubeinformer.internal.text;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ResourceVersionsTests {

	@ParameterizedTest
	@CsvSource({ "1, 2, true", "2, 1, false", "9, 10, true", "10, 9, false", "99, 100, true", "7, 7, false",
			"18446744073709551616, 18446744073709551617, true", "0, 1, true", "abc, 5, false", "5, abc, false",
			"01, 2, false", "'', 2, false", "2, '', false", "1.5, 2, false" })
	void olderOnlyWhereThereIsAnOrder(String version, String reference, boolean older) {
		assertThat(ResourceVersions.isOlder(version, reference)).isEqualTo(older);
	}

	@ParameterizedTest
	@CsvSource({ "7, 7, true", "8, 7, true", "100, 99, true", "6, 7, false", "abc, abc, true", "abd, abc, false",
			"abc, 7, false", "'', 7, false" })
	void reachedOnlyWhereItIsProvable(String version, String wanted, boolean reached) {
		assertThat(ResourceVersions.hasReached(version, wanted)).isEqualTo(reached);
	}

	@ParameterizedTest
	@CsvSource({ "9, 10, 10", "10, 9, 10", "5, abc, abc", "'', 7, 7" })
	void newestKeepsTheKnownOneOnlyIfTheNextIsProvablyOlder(String known, String next, String newest) {
		assertThat(ResourceVersions.newest(known, next)).isEqualTo(newest);
	}

}
