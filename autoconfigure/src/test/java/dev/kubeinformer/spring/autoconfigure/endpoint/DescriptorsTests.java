package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DescriptorsTests {

	@ParameterizedTest
	@CsvSource({ "PT0S,0s", "PT10M,10m", "PT24H,1d", "PT0.2S,200ms", "PT2562047788015215H,forever",
			"PT9223372036854775807.999999999S,forever" })
	void durationIsWrittenAsInAConfiguration(Duration duration, String text) {
		assertThat(Descriptors.text(duration)).isEqualTo(text);
	}

}
