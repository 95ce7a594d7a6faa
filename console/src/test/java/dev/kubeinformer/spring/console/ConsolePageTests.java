package dev.kubeinformer.spring.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the code of {@code docs/console.md} is what runs in tests.
 */
class ConsolePageTests {

	@Test
	void pageShouldShowThisConfiguration() throws IOException {
		String page = Files.readString(Path.of("../docs/console.md"));
		String block = page.substring(page.indexOf("```java") + 7);
		assertThat(normalized(
				Files.readString(Path.of("src/test/java/dev/kubeinformer/spring/console/SecurityConfiguration.java"))))
			.contains(normalized(block.substring(0, block.indexOf("```"))));
	}

	/**
	 * The code without indentation and empty lines.
	 */
	private static String normalized(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
	}

}
