package dev.kubeinformer.spring.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the page of versions says what the build says.
 */
class VersionsPageTests {

	private static final Path ROOT = Path.of("..");

	@ParameterizedTest
	@CsvSource({ "Spring Boot,spring-boot.version", "client-java,kubernetes-client.version", "OkHttp,okhttp.version",
			"Kotlin,kotlin.version" })
	void versionShouldBeThatOfTheBuild(String name, String property) throws IOException {
		assertThat(tested(name)).isEqualTo(found("pom.xml", "<" + property + ">([^<]+)</"));
	}

	@ParameterizedTest
	@CsvSource({ "Spring Boot 4.0,boot-4.0,spring-boot-starter-parent",
			"Spring Cloud,spring-cloud,spring-cloud-dependencies", "client-java 24,spring-cloud-24,client-java" })
	void olderVersionShouldBeThatOfItsModule(String name, String module, String artifact) throws IOException {
		String pom = "compatibility/" + module + "/pom.xml";
		assertThat(tested(name))
			.isEqualTo(found(pom, "<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)</"));
		assertThat(found("pom.xml", "<module>compatibility/(" + module + ")</module>")).isEqualTo(module);
	}

	@ParameterizedTest
	@CsvSource({ "spring-cloud", "spring-cloud-27", "spring-cloud-bom", "spring-cloud-fabric8", "fabric8",
			"client-java-24", "build-lines", "okhttp-4", "okhttp-4-first" })
	void otherModulesShouldHaveTheSpringBootOfTheBuild(String module) throws IOException {
		assertThat(found("compatibility/" + module + "/pom.xml",
				"<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>([^<]+)</"))
			.isEqualTo(tested("Spring Boot"));
	}

	@Test
	void bomOfSpringCloudOnItsPageShouldBeThatOfItsModule() throws IOException {
		assertThat(found("docs/spring-cloud-kubernetes.md",
				"<artifactId>spring-cloud-dependencies</artifactId>\\s*<version>([^<]+)</"))
			.isEqualTo(tested("Spring Cloud"));
	}

	@Test
	void modulesOfOtherVersionsShouldBeInBothProfiles() throws IOException {
		String pom = Files.readString(ROOT.resolve("pom.xml"));
		try (Stream<Path> modules = Files.list(ROOT.resolve("compatibility"))) {
			assertThat(modules.filter((module) -> Files.exists(module.resolve("pom.xml")))).hasSizeGreaterThan(10)
				.allSatisfy((module) -> assertThat(
						pom.split("<module>compatibility/" + module.getFileName() + "</module>", -1))
					.as("%s in 'full' and 'compatibility'", module)
					.hasSize(3));
		}
	}

	@Test
	void jdksShouldBeThoseOfTheContinuousBuild() throws IOException {
		assertThat(tested("JDK")).isEqualTo(found(".github/workflows/ci.yml", "java: \\[([^]]+)]"))
			.startsWith(found("pom.xml", "<maven.compiler.release>(\\d+)</"));
	}

	@Test
	void kubernetesShouldBeTheOldestAndTheNewestOfTheChecks() throws IOException {
		assertThat(tested("Kubernetes"))
			.isEqualTo(found(".ci/run", "(?m)^oldest=(.+)$") + ", " + found(".ci/run", "(?m)^newest=(.+)$"));
	}

	@Test
	void newestKubernetesShouldBeThatOfTheEmbeddedServer() throws IOException, InterruptedException {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			String version = HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create(kubernetes.url() + "/version")).build(),
						HttpResponse.BodyHandlers.ofString())
				.body();
			assertThat(version).contains("\"gitVersion\":\"v" + tested("Kubernetes").replaceAll(".*, ", "") + ".");
		}
	}

	private static String tested(String name) throws IOException {
		return found("docs/versions.md", "(?m)^\\| " + Pattern.quote(name) + " \\| ([^|]+) \\|");
	}

	private static String found(String file, String pattern) throws IOException {
		Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file)));
		assertThat(matcher.find()).as(file + ": " + pattern).isTrue();
		return matcher.group(1).strip();
	}

}
