package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Rules about versions. They reject versions that cannot work, and report versions that
 * are not tested. The projects in {@code compatibility} test the accepted combinations.
 */
final class VersionRules {

	private static final String TREE = "'mvn dependency:tree -Dincludes=%s' or 'gradle dependencyInsight --dependency %s' shows the origin.";

	private final ClassPathLibraries found;

	private VersionRules(ClassPathLibraries found) {
		this.found = found;
	}

	/**
	 * Checks whether Spring Boot can run the starter.
	 * @param found the libraries
	 * @return the problem; {@code null} if there is none
	 */
	static @Nullable VersionFinding springBoot(ClassPathLibraries found) {
		LibraryJar boot = found.first(Library.SPRING_BOOT);
		if (boot == null || boot.major() < 0) {
			return null;
		}
		String origin = "'spring-boot-starter-parent', 'spring-boot-dependencies' or the Gradle plugin 'org.springframework.boot' manages it. ";
		if (boot.major() < 4) {
			return new VersionFinding(true,
					"The starter of Kubernetes Informer cannot be used with Spring Boot %s ('%s'): it needs 4.0 or newer"
						.formatted(boot.version(), boot.name()),
					origin + "Upgrade Spring Boot to 4.0 or newer, or use the engine alone: the artifact 'kubernetes-informer' needs no Spring.",
					BuildLines.SPRING_BOOT);
		}
		return Library.SPRING_BOOT.isTested(String.valueOf(boot.version())) ? null
				: untested(boot, origin, BuildLines.SPRING_BOOT);
	}

	/**
	 * Checks whether informers can use the client.
	 * @param found the libraries
	 * @return the problems
	 */
	static List<VersionFinding> client(ClassPathLibraries found) {
		VersionRules rules = new VersionRules(found);
		List<VersionFinding> findings = new ArrayList<>();
		add(rules.clientJava(), findings);
		add(rules.okHttp(), findings);
		return findings;
	}

	private static void add(@Nullable VersionFinding finding, List<VersionFinding> findings) {
		if (finding != null) {
			findings.add(finding);
		}
	}

	/**
	 * Returns the typical origin of versions that do not fit together.
	 * @param found the libraries
	 * @param lines the lines that set a tested version
	 * @return one or more sentences
	 */
	static String origin(ClassPathLibraries found, BuildLines lines) {
		VersionRules rules = new VersionRules(found);
		return (lines == BuildLines.CLIENT_JAVA) ? rules.clientOrigin() : rules.okHttpOrigin();
	}

	private @Nullable VersionFinding clientJava() {
		LibraryJar client = this.found.first(Library.CLIENT_JAVA);
		LibraryJar api = this.found.first(Library.CLIENT_JAVA_API);
		if (client == null || api == null) {
			return null;
		}
		if (!this.found.refreshes()) {
			return new VersionFinding(true, "%s is too old: informers need 22 or newer, and are tested with %s"
				.formatted(client, Library.CLIENT_JAVA.version()), clientOrigin(), BuildLines.CLIENT_JAVA);
		}
		for (LibraryJar each : List.of(client, api)) {
			if (each.version() != null && !each.library().isTested(each.version())) {
				return untested(each, clientOrigin(), BuildLines.CLIENT_JAVA);
			}
		}
		// Accept an older client with a newer API. This combination is tested, because
		// the BOM of Spring Cloud causes it.
		return (client.major() > api.major() && api.major() > 0) ? new VersionFinding(false,
				"%s has not been tested with %s".formatted(client, api), clientOrigin(), BuildLines.CLIENT_JAVA) : null;
	}

	private @Nullable VersionFinding okHttp() {
		LibraryJar client = this.found.first(Library.OKHTTP);
		LibraryJar okio = this.found.first(Library.OKIO);
		if (client == null || okio == null) {
			return null;
		}
		List<LibraryJar> others = new ArrayList<>();
		for (LibraryJar jar : this.found.all(Library.OKHTTP)) {
			if (!Objects.equals(jar.version(), client.version())) {
				others.add(jar);
			}
		}
		if (client.major() >= 5 && !this.found.okioSockets()) {
			String message = "%s needs Okio 3.13 or newer, but the class path has %s".formatted(client, okio);
			return others.isEmpty() ? new VersionFinding(true, message, okHttpOrigin(), BuildLines.OKIO)
					: new VersionFinding(true,
							message + ". There is also %s, which depends on the older Okio".formatted(names(others)),
							okHttpOrigin(), BuildLines.OKHTTP);
		}
		if (!others.isEmpty()) {
			return new VersionFinding(false,
					"OkHttp is on the class path more than once: %s is used, because it precedes %s".formatted(client,
							names(others)),
					okHttpOrigin(), BuildLines.OKHTTP);
		}
		return (client.version() != null && !Library.OKHTTP.isTested(client.version()))
				? untested(client, okHttpOrigin(), BuildLines.OKHTTP) : null;
	}

	private static String names(List<LibraryJar> jars) {
		return jars.stream().map(LibraryJar::toString).collect(Collectors.joining(", "));
	}

	private String clientOrigin() {
		String origin = (this.found.springCloud() != null)
				? "'spring-cloud-dependencies' ('%s' is on the class path) manages an older version of client-java than the starter."
					.formatted(this.found.springCloud())
				: "The build declares the version, or an imported BOM manages it, such as 'spring-cloud-dependencies' or 'spring-cloud-kubernetes-dependencies'.";
		return origin + " " + TREE.formatted("io.kubernetes", "client-java");
	}

	private String okHttpOrigin() {
		String origin = (this.found.fabric8OkHttp() != null)
				? "'io.fabric8:kubernetes-httpclient-okhttp' ('%s') depends on OkHttp 4, and client-java on OkHttp 5."
					.formatted(this.found.fabric8OkHttp())
				: "client-java depends on OkHttp and a matching Okio. The build or another dependency declares another version, or an imported BOM manages one, such as 'okhttp-bom' or 'spring-cloud-dependencies'%s."
					.formatted((this.found.springCloud() != null) ? " ('" + this.found.springCloud() + "')" : "");
		return origin + " " + TREE.formatted("com.squareup.okhttp3,com.squareup.okio", "okhttp");
	}

	private static VersionFinding untested(LibraryJar jar, String origin, BuildLines lines) {
		return new VersionFinding(false, "%s has not been tested with this version of Kubernetes Informer, only %s"
			.formatted(jar, jar.library().lines()), origin, lines);
	}

}
