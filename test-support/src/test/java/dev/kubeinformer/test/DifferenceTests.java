package dev.kubeinformer.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class DifferenceTests {

	@ParameterizedTest
	@EnumSource
	void differenceStandsInTheDocumentation(Difference difference) throws IOException {
		assertThat(Files.readString(Path.of("../docs/testing.md"))).contains(difference.text());
	}

}
