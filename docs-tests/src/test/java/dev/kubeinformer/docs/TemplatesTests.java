package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the templates and examples name the current versions, and nothing of this build. The
 * profile {@code full} builds them and runs their tests.
 */
@Tag("once")
class TemplatesTests {

	private static final Pattern OURS = Pattern
		.compile("<kubernetes-informer.version>(.*)</kubernetes-informer.version>");

	private static final Pattern BOOT = Pattern
		.compile("<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>(.*)</version>");

	static List<Path> templates() throws IOException {
		List<Path> templates = new ArrayList<>();
		for (String folder : List.of("templates", "examples")) {
			try (Stream<Path> projects = Files.list(Page.ROOT.resolve(folder))) {
				projects.filter((project) -> Files.exists(project.resolve("pom.xml"))).sorted().forEach(templates::add);
			}
		}
		return templates;
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

}
