package dev.kubeinformer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the code of pages is that of source files, so that it compiles.
 */
class CodeBlocksTests {

	private static final Path DOCS = Path.of("../docs");

	private static final Path STARTER = Path.of("../starter-test/src/test/java/dev/kubeinformer/spring/test/docs");

	private static final List<Path> SOURCES = List.of(Path.of("src/test/java/dev/kubeinformer/spring/docs"),
			STARTER.resolve("clusters"), STARTER.resolve("replicas"));

	private static final Pattern BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

	@ParameterizedTest
	@ValueSource(strings = { "handlers.md", "clusters.md", "replicas.md" })
	void everyCodeBlockShouldBeInASourceFile(String page) throws IOException {
		List<String> sources = sources();
		List<String> blocks = BLOCK.matcher(Files.readString(DOCS.resolve(page)))
			.results()
			.map((MatchResult block) -> normalized(block.group(1)))
			.toList();
		assertThat(blocks).hasSizeGreaterThan(1)
			.allSatisfy((block) -> assertThat(sources).anyMatch((source) -> source.contains(block)));
	}

	private static List<String> sources() throws IOException {
		List<String> sources = new ArrayList<>();
		for (Path directory : SOURCES) {
			try (Stream<Path> files = Files.list(directory)) {
				for (Path file : files.toList()) {
					sources.add(normalized(Files.readString(file)));
				}
			}
		}
		return sources;
	}

	/**
	 * The code without indentation and empty lines.
	 */
	private static String normalized(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
	}

}
