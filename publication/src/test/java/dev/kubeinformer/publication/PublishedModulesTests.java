package dev.kubeinformer.publication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.apache.maven.model.Dependency;
import org.apache.maven.model.Model;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.publication.Modules.Module;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each published module is in the BOM and describes itself, and that all that
 * names a version of them names the same.
 */
class PublishedModulesTests {

	private static final Set<String> WITHOUT_SOURCES = Set.of("target", ".git", "node_modules", "CHANGELOG.md");

	private static final Pattern TEXT = Pattern.compile(".*\\.(md|xml|kts|gradle|ya?ml|toml|properties)|.*Dockerfile");

	/** Versions that {@code build/set-version} changes. */
	private static final Pattern VERSION = Pattern
		.compile("<artifactId>kubernetes-informer[\\w-]*</artifactId>\\s*<version>([^<$]+)</version>"
				+ "|<kubernetes-informer\\.version>([^<]+)<"
				+ "|dev\\.kubeinformer:kubernetes-informer[\\w-]*:(\\d[\\w.-]*\\w)"
				+ "|-DarchetypeVersion=(\\d[\\w.-]*\\w)"
				+ "|kubernetes-informer[a-z-]*-(\\d+\\.\\d+\\.\\d+[\\w-]*(?:\\.\\w+)?)\\.jar");

	static List<Module> published() {
		return Modules.published();
	}

	static List<Module> linked() {
		return Modules.publishedWithCode().stream().filter((module) -> Files.exists(packagesOf(module))).toList();
	}

	@Test
	void bomShouldListWhatIsPublished() {
		Module bom = bom();
		List<String> listed = bom.model()
			.getDependencyManagement()
			.getDependencies()
			.stream()
			.map(Dependency::getArtifactId)
			.toList();
		// An archetype is not a dependency.
		assertThat(listed).containsExactlyInAnyOrderElementsOf(Modules.published()
			.stream()
			.filter((module) -> !module.model().getPackaging().equals("maven-archetype"))
			.map(Module::artifact)
			.filter((artifact) -> !artifact.equals(bom.artifact()))
			.toList());
	}

	/**
	 * A BOM with a parent would manage what its parent manages in each project that
	 * imports it. The module {@code compatibility/installed-bom} is such a project.
	 */
	@Test
	void bomShouldBeFlatWhereverItIsInstalled() {
		Plugin flatten = bom().model().getBuild().getPluginsAsMap().get("org.codehaus.mojo:flatten-maven-plugin");
		assertThat(flatten).isNotNull();
		assertThat(String.valueOf(flatten.getConfiguration())).contains("<flattenMode>bom</flattenMode>",
				"<updatePomFile>true</updatePomFile>");
		assertThat(flatten.getExecutions()).singleElement().satisfies((execution) -> {
			assertThat(execution.getPhase()).isEqualTo("process-resources");
			assertThat(execution.getGoals()).containsExactly("flatten");
		});
	}

	@Test
	void parentShouldBeLeftOutOnlyWhereThePomsOfTheModulesAreFlattened() {
		Model root = Modules.root();
		assertThat(plugins(root.getBuild())).doesNotContain("maven-deploy-plugin");
		assertThat(root.getProfiles())
			.filteredOn((profile) -> plugins(profile.getBuild()).contains("maven-deploy-plugin"))
			.singleElement()
			.satisfies((profile) -> {
				assertThat(plugins(profile.getBuild())).contains("flatten-maven-plugin");
				Plugin deploy = profile.getBuild()
					.getPluginsAsMap()
					.get("org.apache.maven.plugins:maven-deploy-plugin");
				assertThat(deploy.isInherited()).isFalse();
				assertThat(String.valueOf(deploy.getConfiguration())).contains("<skip>true</skip>");
			});
	}

	private static Module bom() {
		return Modules.published()
			.stream()
			.filter((module) -> module.artifact().endsWith("-bom"))
			.findFirst()
			.orElseThrow();
	}

	private static List<String> plugins(PluginContainer build) {
		return Stream.ofNullable(build)
			.flatMap((present) -> present.getPlugins().stream())
			.map(Plugin::getArtifactId)
			.toList();
	}

	@ParameterizedTest
	@MethodSource("published")
	void publishedModuleShouldDescribeItself(Module module) {
		assertThat(module.model().getName()).startsWith("Kubernetes Informer :: ");
		assertThat(module.model().getDescription()).isNotBlank();
	}

	@ParameterizedTest
	@MethodSource("linked")
	void javadocOfOthersShouldBeAbleToLinkToEachPublicPackage(Module module) throws IOException {
		Path sources = module.directory().resolve("src/main/java");
		try (Stream<Path> files = Files.walk(sources)) {
			List<String> packages = files.filter((file) -> file.endsWith("package-info.java"))
				.map((file) -> sources.relativize(file.getParent()).toString().replace('/', '.'))
				.filter((name) -> !name.contains(".internal"))
				.sorted()
				.toList();
			assertThat(packagesOf(module)).as("packages that Javadoc links to").hasContent(String.join("\n", packages));
		}
	}

	@Test
	void everyVersionOfAModuleShouldBeThatOfTheBuild() throws IOException {
		assertThat(versions(Modules.ROOT)).hasSizeGreaterThan(10)
			.allSatisfy((place) -> assertThat(place).endsWith(" names " + Modules.root().getVersion()));
	}

	@Test
	void versionsShouldBeFound(@TempDir Path directory) throws IOException {
		Files.writeString(directory.resolve("page.md"), """
				<artifactId>kubernetes-informer-bom</artifactId>
				<version>1.0.0</version>
				implementation("dev.kubeinformer:kubernetes-informer-spring-boot-starter:2.0.0")
				java -jar kubernetes-informer-sample-3.0.0-SNAPSHOT.jar
				<kubernetes-informer.version>4.0.0</kubernetes-informer.version>
				mvn archetype:generate -DarchetypeVersion=5.0.0
				<artifactId>kubernetes-informer-test</artifactId>
				<version>${project.version}</version>
				""");
		assertThat(versions(directory)).extracting((place) -> place.replaceFirst(".* names ", ""))
			.containsExactly("1.0.0", "2.0.0", "3.0.0-SNAPSHOT", "4.0.0", "5.0.0");
	}

	private static Path packagesOf(Module module) {
		return Modules.ROOT.resolve("build/javadoc/" + module.artifact() + "/element-list");
	}

	private static List<String> versions(Path root) throws IOException {
		try (Stream<Path> files = Files.find(root, 20, (file, attributes) -> attributes.isRegularFile()
				&& TEXT.matcher(file.getFileName().toString()).matches() && isSource(root.relativize(file)))) {
			return files.flatMap(PublishedModulesTests::versionsIn).toList();
		}
	}

	private static boolean isSource(Path file) {
		for (Path part : file) {
			if (WITHOUT_SOURCES.contains(part.toString())) {
				return false;
			}
		}
		return true;
	}

	private static Stream<String> versionsIn(Path file) {
		try {
			return VERSION.matcher(Files.readString(file)).results().map((match) -> {
				for (int group = 1; group <= match.groupCount(); group++) {
					if (match.group(group) != null) {
						return file + " names " + match.group(group);
					}
				}
				throw new IllegalStateException("No version in " + match.group());
			});
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read " + file, ex);
		}
	}

}
