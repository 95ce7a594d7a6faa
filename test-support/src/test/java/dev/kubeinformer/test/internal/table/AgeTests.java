package dev.kubeinformer.test.internal.table;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class AgeTests {

	@ParameterizedTest
	@CsvSource({ "0,0s", "119,119s", "120,2m", "301,5m1s", "601,10m", "10799,179m", "10800,3h", "11100,3h5m",
			"28800,8h", "172799,47h", "172800,2d", "176400,2d1h", "691200,8d", "63072000,2y", "63158400,2y1d",
			"252288000,8y" })
	void ageWhenPrintedShouldBeAsKubectlHasIt(long seconds, String text) {
		assertThat(Age.human(Duration.ofSeconds(seconds))).isEqualTo(text);
	}

}
