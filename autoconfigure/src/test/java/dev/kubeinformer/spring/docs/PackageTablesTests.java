package dev.kubeinformer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that types are in the packages that the pages name for imports.
 */
class PackageTablesTests {

	private static final Path ROOT = Path.of("..");

	private static final List<String> MODULES = List.of("informer", "autoconfigure", "test-support", "controller-test",
			"starter-test");

	/**
	 * Patterns for statements about packages: a row of a table, or a sentence or part of
	 * one.
	 */
	private static final List<Pattern> STATEMENTS = List.of(
			Pattern.compile("^\\| (?:`dev\\.kubeinformer[^|]*) \\| (?:[^|]*`[A-Z@][^|]*) \\|$", Pattern.MULTILINE),
			Pattern.compile("(?:`\\w+`(?:(?:, | and\\s+)`\\w+`)*) (?:in|are of the package|are in) "
					+ "(?:`dev\\.kubeinformer[\\w.]*`)"));

	private static final Pattern PACKAGE = Pattern.compile("`(dev\\.kubeinformer[a-z.]*)`");

	private static final Pattern TYPE = Pattern.compile("`@?([A-Z]\\w+)`");

	@ParameterizedTest
	@ValueSource(
			strings = { "clusters", "controllers", "controller-reference", "handlers", "large-caches", "replicas" })
	void typesShouldBeInThePackagesThatThePageNames(String page) throws IOException {
		String text = Files.readString(ROOT.resolve("docs/" + page + ".md"));
		List<String> found = new ArrayList<>();
		List<String> wrong = new ArrayList<>();
		STATEMENTS.stream().flatMap((statement) -> statement.matcher(text).results()).forEach((statement) -> {
			List<String> packages = all(PACKAGE, statement.group());
			for (String type : all(TYPE, statement.group())) {
				found.add(type);
				if (packages.stream().noneMatch((each) -> isIn(each, type))) {
					wrong.add(type + " in " + packages);
				}
			}
		});
		assertThat(found).isNotEmpty();
		assertThat(wrong).isEmpty();
	}

	private static List<String> all(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((match) -> match.group(1)).toList();
	}

	private static boolean isIn(String name, String type) {
		String file = "src/main/java/" + name.replace('.', '/') + "/" + type + ".java";
		return MODULES.stream().anyMatch((module) -> Files.exists(ROOT.resolve(module).resolve(file)));
	}

}
