package dev.kubeinformer.spring.autoconfigure.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the lines of the failure analysis are those of the pages, and of the project
 * that runs with them.
 */
class BuildLinesTests {

	private static final Pattern DEPENDENCY = Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);

	@ParameterizedTest
	@CsvSource({ "docs/versions.md,CLIENT_JAVA", "docs/versions.md,OKHTTP", "docs/getting-started.md,CLIENT_JAVA",
			"docs/spring-cloud-kubernetes.md,CLIENT_JAVA", "compatibility/build-lines/pom.xml,CLIENT_JAVA",
			"compatibility/build-lines/pom.xml,OKHTTP" })
	void linesShouldBeInFile(String file, BuildLines lines) throws IOException {
		String text = withoutBlanks(Files.readString(Path.of("..", file)));
		Matcher matcher = DEPENDENCY.matcher(lines.text());
		assertThat(matcher.find()).isTrue();
		do {
			assertThat(text).contains(withoutBlanks(matcher.group()));
		}
		while (matcher.find());
	}

	@Test
	void linesOfGradleShouldBeOnThePage() throws IOException {
		String text = BuildLines.CLIENT_JAVA.text();
		assertThat(withoutBlanks(Files.readString(Path.of("../docs/versions.md"))))
			.contains(withoutBlanks(text.substring(text.indexOf("dependencyManagement {"))));
	}

	@ParameterizedTest
	@EnumSource
	void linesShouldBeForBothTools(BuildLines lines) {
		assertThat(lines.text()).contains("In pom.xml", "In build.gradle.kts", "    <").doesNotContain("\t", "%");
	}

	private static String withoutBlanks(String text) {
		return text.replaceAll("\\s", "");
	}

}
