package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of which versions are refused, reported and accepted. The projects in
 * {@code compatibility} run with those that are accepted.
 */
class VersionRulesTests {

	@ParameterizedTest
	@CsvSource({
			// What the starter brings, what the BOM of Spring Cloud makes of it, and what
			// projects set because of that.
			"27.0.0,27.0.0,5.4.0,3.17.0", "24.0.0,27.0.0,4.12.0,3.6.0", "24.0.0,27.0.0,5.4.0,3.17.0",
			"24.0.0,24.0.0,4.12.0,3.6.0", "27.0.0,27.0.0,4.12.0,3.6.0", "24.0.0,24.0.0,5.4.0,3.17.0",
			"27.1.0,27.1.0,5.4.0,3.17.0",
			// Another one that fits.
			"27.0.0,27.0.0,5.0.0,3.15.0", "27.0.0,27.0.0,5.5.1,3.18.0", "27.0.0,27.0.0,4.12.0,3.17.0" })
	void versionsThatWorkShouldBeTaken(String client, String api, String okHttp, String okio) {
		assertThat(VersionRules.client(libraries(client, api, okio, okHttp))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "26.0.0,26.0.0,client-java 26.0.0", "28.0.0,28.0.0,client-java 28.0.0",
			"27.0.0,26.0.0,client-java-api 26.0.0", "23.0.0,27.0.0,client-java 23.0.0",
			"27.0.0,24.0.0,client-java 27.0.0" })
	void clientsThatAreNotTestedShouldBeReported(String client, String api, String expected) {
		assertThat(VersionRules.client(libraries(client, api, "3.17.0", "5.4.0"))).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.refused()).isFalse();
				assertThat(finding.message()).contains(expected, "has not been tested");
				assertThat(finding.action()).contains("<artifactId>client-java</artifactId>",
						"<artifactId>client-java-api</artifactId>", "27.0.0");
			});
	}

	@ParameterizedTest
	@CsvSource({ "20.0.1,20.0.1", "21.0.2,27.0.0", ",21.0.2" })
	void clientWithoutRefreshedTokensShouldBeRefused(@Nullable String client, String api) {
		ClassPathLibraries found = new ClassPathLibraries(jars(client, api, "3.17.0", "5.4.0"), true, false, null,
				null);
		assertThat(VersionRules.client(found)).singleElement().satisfies((finding) -> {
			assertThat(finding.refused()).isTrue();
			assertThat(finding.message()).contains("client-java " + ((client != null) ? client : "of unknown version"),
					"need 22 or newer");
		});
	}

	@ParameterizedTest
	@CsvSource({ "3.6.0,5.4.0", "3.12.0,5.0.0", "1.17.6,6.0.0" })
	void okioThatIsTooOldShouldBeRefused(String okio, String okHttp) {
		assertThat(VersionRules.client(libraries("27.0.0", "27.0.0", okio, okHttp))).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.refused()).isTrue();
				assertThat(finding.message()).isEqualTo(
						"OkHttp %s ('okhttp-%s.jar') needs Okio 3.13 or newer, but the class path has Okio %s ('okio-%s.jar')",
						okHttp, okHttp, okio, okio);
				assertThat(finding.lines()).isEqualTo(BuildLines.OKIO);
			});
	}

	@Test
	void okHttpThatIsThereTwiceShouldBeRefusedWithTheOkioOfTheOlderOne() {
		assertThat(VersionRules.client(libraries("27.0.0", "27.0.0", "3.6.0", "5.4.0", "4.12.0"))).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.refused()).isTrue();
				assertThat(finding.message()).contains("OkHttp 5.4.0 ('okhttp-5.4.0.jar')",
						"OkHttp 4.12.0 ('okhttp-4.12.0.jar')", "Okio 3.6.0 ('okio-3.6.0.jar')");
				assertThat(finding.action()).contains("okhttp-bom", "spring-cloud-dependencies",
						"<artifactId>okhttp</artifactId>", "<version>5.4.0</version>",
						"implementation(\"com.squareup.okhttp3:okhttp:5.4.0\")", "kubernetes.versions.check: false");
			});
	}

	@ParameterizedTest
	@CsvSource({ "3.6.0,4.12.0,5.4.0", "3.17.0,5.4.0,4.12.0" })
	void okHttpThatIsThereTwiceShouldBeReportedIfTheFirstOneWorks(String okio, String first, String second) {
		assertThat(VersionRules.client(libraries("27.0.0", "27.0.0", okio, first, second))).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.refused()).isFalse();
				assertThat(finding.message()).contains("more than once",
						"OkHttp %s ('okhttp-%s.jar') is used".formatted(first, first), "OkHttp " + second);
			});
	}

	@Test
	void okHttpThatIsThereTwiceInTheSameVersionShouldBeTaken() {
		assertThat(VersionRules.client(libraries("27.0.0", "27.0.0", "3.17.0", "5.4.0", "5.4.0"))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "3.14.9,1.17.6", "4.9.3,2.8.0", "6.0.0,3.17.0" })
	void okHttpThatIsNotTestedShouldBeReported(String okHttp, String okio) {
		assertThat(VersionRules.client(libraries("27.0.0", "27.0.0", okio, okHttp))).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.refused()).isFalse();
				assertThat(finding.message()).contains("OkHttp " + okHttp, "[4.12.x, 5.x]");
			});
	}

	@Test
	void unknownVersionsShouldBeTaken() {
		assertThat(VersionRules
			.client(new ClassPathLibraries(jars(null, null, null, new String[] { null }), true, true, null, null)))
			.isEmpty();
		assertThat(VersionRules.client(new ClassPathLibraries(Map.of(), false, false, null, null))).isEmpty();
	}

	@Test
	void originShouldNameSpringCloudAndFabric8WhereTheyAre() {
		ClassPathLibraries cloud = new ClassPathLibraries(jars("20.0.0", "20.0.0", "3.6.0", "5.4.0", "4.12.0"), false,
				false, "spring-cloud-context-5.0.4.jar", null);
		assertThat(VersionRules.client(cloud)).hasSize(2)
			.allSatisfy((finding) -> assertThat(finding.origin())
				.contains("'spring-cloud-dependencies' ".concat("('spring-cloud-context-5.0.4.jar'")));
		ClassPathLibraries fabric8 = new ClassPathLibraries(jars("27.0.0", "27.0.0", "3.6.0", "5.4.0", "4.12.0"), false,
				true, null, "kubernetes-httpclient-okhttp-7.8.0.jar");
		assertThat(VersionRules.client(fabric8)).singleElement()
			.satisfies((finding) -> assertThat(finding.origin()).contains("kubernetes-httpclient-okhttp-7.8.0.jar"));
	}

	@ParameterizedTest
	@CsvSource({ "3.5.16", "3.0.0", "2.7.18", "3.5.0-SNAPSHOT" })
	void olderSpringBootShouldBeRefused(String version) {
		assertThat(VersionRules.springBoot(springBoot(version))).satisfies((finding) -> {
			assertThat(finding.refused()).isTrue();
			assertThat(finding.message()).contains("Spring Boot " + version, "4.0");
			assertThat(finding.action()).contains("Upgrade", "<artifactId>spring-boot-starter-parent</artifactId>",
					"id(\"org.springframework.boot\") version");
		});
	}

	@ParameterizedTest
	@CsvSource({ "4.0.0", "4.0.9", "4.1.2", "4.1.17" })
	void springBootThatIsTestedShouldBeTaken(String version) {
		assertThat(VersionRules.springBoot(springBoot(version))).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "4.2.0", "4.10.0", "5.0.0-M1", "10.0.0" })
	void newerSpringBootShouldBeReported(String version) {
		assertThat(VersionRules.springBoot(springBoot(version)))
			.satisfies((finding) -> assertThat(finding.refused()).isFalse());
	}

	@Test
	void springBootOfUnknownVersionShouldBeTaken() {
		assertThat(VersionRules.springBoot(springBoot(null))).isNull();
	}

	private static ClassPathLibraries springBoot(@Nullable String version) {
		return new ClassPathLibraries(
				Map.of(Library.SPRING_BOOT,
						List.of(new LibraryJar(Library.SPRING_BOOT, version, "spring-boot-%s.jar".formatted(version)))),
				true, true, null, null);
	}

	private static ClassPathLibraries libraries(String client, String api, String okio, String... okHttp) {
		boolean sockets = okio.startsWith("3.") && Integer.parseInt(okio.split("\\.")[1]) >= 13;
		return new ClassPathLibraries(jars(client, api, okio, okHttp), sockets, true, null, null);
	}

	private static Map<Library, List<LibraryJar>> jars(@Nullable String client, @Nullable String api,
			@Nullable String okio, @Nullable String... okHttp) {
		Map<Library, List<LibraryJar>> jars = new EnumMap<>(Library.class);
		jars.put(Library.CLIENT_JAVA, List.of(jar(Library.CLIENT_JAVA, client)));
		jars.put(Library.CLIENT_JAVA_API, List.of(jar(Library.CLIENT_JAVA_API, api)));
		jars.put(Library.OKIO, List.of(jar(Library.OKIO, okio)));
		List<LibraryJar> copies = new ArrayList<>();
		for (String version : okHttp) {
			copies.add(jar(Library.OKHTTP, version));
		}
		jars.put(Library.OKHTTP, copies);
		return jars;
	}

	private static LibraryJar jar(Library library, @Nullable String version) {
		return new LibraryJar(library, version, "%s-%s.jar".formatted(library.title().toLowerCase(), version));
	}

}
