package dev.kubeinformer.spring.autoconfigure.versions;

/**
 * Versions of the libraries that the HTTP client consists of. Internal to the starter.
 */
public final class HttpLibraries {

	private HttpLibraries() {
	}

	/**
	 * Returns the remedy if these libraries are incompatible.
	 * @return the versions on the class path, and lines of the build file
	 */
	public static String advice() {
		ClassPathLibraries found = ClassPathLibraries.read(HttpLibraries.class.getClassLoader());
		return "The class path has %s. %s\n\n%s".formatted(found.describe(),
				VersionRules.origin(found, BuildLines.OKHTTP), BuildLines.OKHTTP.text());
	}

}
