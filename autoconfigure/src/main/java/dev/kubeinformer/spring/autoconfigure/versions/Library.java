package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.List;
import java.util.Set;

/**
 * Library whose version decides whether informers work.
 */
enum Library {

	CLIENT_JAVA("client-java", "io/kubernetes/client/util/ClientBuilder.class", "io.kubernetes", "client-java",
			"27.0.0", Set.of("24", "27")),

	CLIENT_JAVA_API("client-java-api", "io/kubernetes/client/openapi/ApiClient.class", "io.kubernetes",
			"client-java-api", "27.0.0", Set.of("24", "27")),

	OKHTTP("OkHttp", "okhttp3/OkHttpClient.class", "com.squareup.okhttp3", "okhttp", "5.4.0", Set.of("4.12", "5")),

	OKIO("Okio", "okio/Okio.class", "com.squareup.okio", "okio-jvm", "3.17.0", Set.of("3")),

	SPRING_BOOT("Spring Boot", "org/springframework/boot/SpringApplication.class", "org.springframework.boot",
			"spring-boot", "4.1.2", Set.of("4.0", "4.1"));

	private final String title;

	private final String type;

	private final String group;

	private final String artifact;

	private final String version;

	private final Set<String> lines;

	Library(String title, String type, String group, String artifact, String version, Set<String> lines) {
		this.title = title;
		this.type = type;
		this.group = group;
		this.artifact = artifact;
		this.version = version;
		this.lines = lines;
	}

	/**
	 * Returns the name for messages.
	 * @return the name
	 */
	String title() {
		return this.title;
	}

	/**
	 * Returns the resource name of a class that only this library has.
	 * @return the name of the resource
	 */
	String type() {
		return this.type;
	}

	String group() {
		return this.group;
	}

	String artifact() {
		return this.artifact;
	}

	/**
	 * Returns the version with which all tests of this project run.
	 * @return the version
	 */
	String version() {
		return this.version;
	}

	/**
	 * Returns whether informers are known to work with a version.
	 * @param version the version
	 * @return {@code true} if a version of the same line is tested
	 */
	boolean isTested(String version) {
		for (String line : this.lines) {
			if (version.equals(line) || version.startsWith(line + ".")) {
				return true;
			}
		}
		return false;
	}

	List<String> lines() {
		return this.lines.stream().sorted().map((line) -> line + ".x").toList();
	}

}
