package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lines of a build file that set versions of libraries.
 */
enum BuildLines {

	/**
	 * Direct dependencies, which precede those of libraries and BOMs. In Maven,
	 * okhttp-jvm is a dependency, too: okhttp 5 is an empty jar there, because Maven does
	 * not read the Gradle module metadata that refers to okhttp-jvm.
	 */
	OKHTTP("In pom.xml, among the dependencies, in place of any other version of okhttp:",
			dependency(Library.OKHTTP.group(), Library.OKHTTP.artifact(), Library.OKHTTP.version())
					+ dependency(Library.OKHTTP.group(), "okhttp-jvm", Library.OKHTTP.version()),
			"In build.gradle.kts, among the dependencies:", implementation(Library.OKHTTP)),

	OKIO("In pom.xml, in <dependencyManagement>, in place of any other version of Okio:", dependencies(Library.OKIO),
			"In build.gradle.kts, among the dependencies:", implementation(Library.OKIO)),

	/**
	 * Managed dependencies. They precede those of an imported BOM, but not the version of
	 * a direct dependency.
	 */
	CLIENT_JAVA(
			"In pom.xml, in <dependencyManagement>, in place of any other version; it precedes that of an imported BOM:",
			dependencies(Library.CLIENT_JAVA, Library.CLIENT_JAVA_API),
			"In build.gradle.kts, with the plugin io.spring.dependency-management:",
			managed(Library.CLIENT_JAVA, Library.CLIENT_JAVA_API)),

	SPRING_BOOT("In pom.xml:", """
			<parent>
				<groupId>org.springframework.boot</groupId>
				<artifactId>spring-boot-starter-parent</artifactId>
				<version>%s</version>
			</parent>
			""".formatted(Library.SPRING_BOOT.version()), "In build.gradle.kts, among the plugins:", """
			id("org.springframework.boot") version "%s"
			""".formatted(Library.SPRING_BOOT.version()));

	private final String text;

	BuildLines(String maven, String pom, String gradle, String build) {
		this.text = "%s\n\n%s\n%s\n\n%s".formatted(maven, indented(pom), gradle, indented(build));
	}

	private static String dependencies(Library... libraries) {
		return Stream.of(libraries)
			.map((library) -> dependency(library.group(), library.artifact(), library.version()))
			.collect(Collectors.joining());
	}

	private static String dependency(String group, String artifact, String version) {
		return """
				<dependency>
					<groupId>%s</groupId>
					<artifactId>%s</artifactId>
					<version>%s</version>
				</dependency>
				""".formatted(group, artifact, version);
	}

	private static String implementation(Library library) {
		return "implementation(\"%s\")\n".formatted(coordinates(library));
	}

	private static String managed(Library... libraries) {
		return Stream.of(libraries)
			.map((library) -> "\t\tdependency(\"%s\")\n".formatted(coordinates(library)))
			.collect(Collectors.joining("", "dependencyManagement {\n\tdependencies {\n", "\t}\n}\n"));
	}

	private static String coordinates(Library library) {
		return "%s:%s:%s".formatted(library.group(), library.artifact(), library.version());
	}

	private static String indented(String lines) {
		return lines.lines()
			.map((line) -> "\t" + line)
			.map((line) -> line.replace("\t", "    ") + "\n")
			.collect(Collectors.joining());
	}

	/**
	 * Returns the lines for the build files of Maven and Gradle.
	 * @return several lines, with an introduction for each tool
	 */
	String text() {
		return this.text;
	}

}
