package dev.kubeinformer.spring.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests of which versions of Spring Boot are refused. An application with Spring Boot 3
 * is in the profile {@code full}.
 */
class SpringBootCheckTests {

	@ParameterizedTest
	@ValueSource(strings = { "3.5.16", "3.0.0", "2.7.18", "3.5.0-SNAPSHOT" })
	void olderVersionsShouldBeRefused(String version) {
		assertThatExceptionOfType(InformerConfigurationException.class).isThrownBy(() -> SpringBootCheck.check(version))
			.withMessageContaining("Spring Boot " + version)
			.withMessageContaining("4.0")
			.satisfies((ex) -> assertThat(ex.getAction()).contains("Upgrade"));
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "4.0.0", "4.1.2", "5.0.0-M1", "10.0.0" })
	void otherVersionsShouldBeTaken(String version) {
		assertThatNoException().isThrownBy(() -> SpringBootCheck.check(version));
	}

	@Test
	void versionOfTheBuildShouldBeTaken() {
		assertThatNoException().isThrownBy(() -> SpringBootCheck.check(SpringBootVersion.getVersion()));
	}

}
