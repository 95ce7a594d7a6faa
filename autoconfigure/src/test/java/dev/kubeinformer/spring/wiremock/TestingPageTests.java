package dev.kubeinformer.spring.wiremock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the recipe of {@code docs/testing.md} for WireMock is the test that runs
 * here.
 */
class TestingPageTests {

	private static final Path PAGE = Path.of("../docs/testing.md");

	private static final Path SOURCE = Path
		.of("src/test/java/dev/kubeinformer/spring/wiremock/PodHandlerWireMockTests.java");

	private static final Pattern RECIPE = Pattern.compile("```java\\R(@SpringBootTest\\R[^`]*?WireMock.*?)```",
			Pattern.DOTALL);

	@Test
	void recipeForWireMockShouldBeTheTestThatRuns() throws IOException {
		String source = normalized(Files.readString(SOURCE));
		assertThat(RECIPE.matcher(Files.readString(PAGE)).results().map((MatchResult recipe) -> recipe.group(1)))
			.hasSize(1)
			.allSatisfy((recipe) -> assertThat(source).contains(normalized(recipe)));
	}

	private static String normalized(String code) {
		return code.replaceAll("\\s+", " ");
	}

}
