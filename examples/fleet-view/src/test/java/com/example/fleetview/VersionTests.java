package com.example.fleetview;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which of two versions is newer.
 */
class VersionTests {

	@ParameterizedTest
	@CsvSource({ "web:1.10.0, web:1.9.2", "web:v2, web:v1.9", "web:1.2.1, web:1.2", "web:1.0, web:latest",
			"registry:5000/web:1, registry:5000/web", "web:2@sha256:0a1b, web:1@sha256:ff" })
	void firstIsNewer(String first, String second) {
		assertThat(Version.ofImage(first)).isGreaterThan(Version.ofImage(second));
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.2.0", "v1.2.0", "1.2.0-rc1", "1.2.0-RC1", "1.2.0-alpine3", "1.2.0.Final2", "1.2.0_b7" })
	void wordsAfterTheNumbersDoNotCount(String tag) {
		assertThat(Version.ofImage("web:" + tag)).isEqualByComparingTo(Version.ofImage("web:1.2.0"));
	}

}
