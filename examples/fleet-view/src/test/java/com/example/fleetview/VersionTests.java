package com.example.fleetview;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

}
