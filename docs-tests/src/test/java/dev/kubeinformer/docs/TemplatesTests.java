package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the templates and examples name the current versions, and nothing of this
 * build, and that examples are as short as they claim to be. The profile {@code full}
 * builds them and runs their tests.
 */
@Tag("once")
class TemplatesTests {

	private static final Pattern OURS = Pattern
		.compile("<kubernetes-informer.version>(.*)</kubernetes-informer.version>");

	private static final Pattern BOOT = Pattern
		.compile("<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>(.*)</version>");

	/** Lines that say nothing of their own: empty ones, comments, imports. */
	private static final Pattern NO_CODE = Pattern.compile("\\s*(//.*|/?\\*.*|import .*|package .*)?");

	private static final int LINES_OF_CODE = 150;

	private static final int LINES_OF_A_README = 60;

	static List<Path> templates() throws IOException {
		return Stream.concat(projects("templates").stream(), examples().stream()).toList();
	}

	static List<Path> examples() throws IOException {
		return projects("examples");
	}

	private static List<Path> projects(String folder) throws IOException {
		try (Stream<Path> projects = Files.list(Page.ROOT.resolve(folder))) {
			return projects.filter((project) -> Files.exists(project.resolve("pom.xml"))).sorted().toList();
		}
	}

	@ParameterizedTest
	@MethodSource("templates")
	void versionsShouldBeThoseOfTheProject(Path template) throws IOException {
		String pom = Files.readString(template.resolve("pom.xml"));
		String parent = Files.readString(Page.ROOT.resolve("pom.xml"));
		assertThat(OURS.matcher(pom).results().map((version) -> version.group(1)))
			.as("version of kubernetes-informer in %s", template)
			.containsExactly(System.getProperty("project.version"));
		assertThat(BOOT.matcher(pom).results().map((version) -> version.group(1)))
			.as("version of Spring Boot in %s", template)
			.allSatisfy((version) -> assertThat(parent)
				.contains("<spring-boot.version>" + version + "</spring-boot.version>"))
			.hasSize(1);
		assertThat(pom).doesNotContain("kubernetes-informer-parent");
	}

	@ParameterizedTest
	@MethodSource("templates")
	void templateShouldBeBuiltByTheProfileFull(Path template) throws IOException {
		assertThat(Files.readString(Page.ROOT.resolve("pom.xml")))
			.contains("<module>" + Page.ROOT.relativize(template) + "</module>");
	}

	@Test
	void eachTemplateShouldBeAnArchetypeThatTheFirstPageNames() throws IOException {
		List<String> names = projects("templates").stream().map((project) -> project.getFileName().toString()).toList();
		String modules = Files.readString(Page.ROOT.resolve("pom.xml"));
		String page = Files.readString(Page.ROOT.resolve("docs/getting-started.md"));
		assertThat(names).isNotEmpty().allSatisfy((name) -> {
			assertThat(modules).contains("<module>archetype-" + name + "</module>");
			assertThat(Files.readString(Page.ROOT.resolve("archetype-" + name + "/pom.xml")))
				.contains("<artifactId>kubernetes-informer-archetype-" + name + "</artifactId>")
				.contains("<template>" + name + "</template>");
			assertThat(page).contains("[`" + name + "`](../templates/" + name + "/README.md)");
		});
	}

	@ParameterizedTest
	@MethodSource("examples")
	void exampleShouldBeReadInAFewMinutes(Path example) throws IOException {
		assertThat(javaIn(example.resolve("src/main")).stream()
			.flatMap(String::lines)
			.filter((line) -> !NO_CODE.matcher(line).matches())).hasSizeLessThanOrEqualTo(LINES_OF_CODE);
		assertThat(Files.readAllLines(example.resolve("README.md"))).hasSizeLessThanOrEqualTo(LINES_OF_A_README);
	}

	@ParameterizedTest
	@MethodSource("examples")
	void exampleShouldBeTestedInMemoryAndOnACluster(Path example) throws IOException {
		assertThat(javaIn(example.resolve("src/test"))).anyMatch((test) -> test.contains("@EmbeddedKubernetesTest"))
			.anyMatch((test) -> test.contains("@EnabledIfSystemProperty(named = \"kubeconfig\""))
			.noneMatch((test) -> test.contains(".serve("));
	}

	@ParameterizedTest
	@MethodSource("examples")
	void exampleShouldBeOnThePageOfExamples(Path example) throws IOException {
		assertThat(Files.readString(Page.ROOT.resolve("docs/examples.md")))
			.contains("(../examples/" + example.getFileName() + "/README.md)");
	}

	private static List<String> javaIn(Path folder) throws IOException {
		List<String> sources = new ArrayList<>();
		try (Stream<Path> files = Files.walk(folder)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
				sources.add(Files.readString(file));
			}
		}
		return sources;
	}

}
