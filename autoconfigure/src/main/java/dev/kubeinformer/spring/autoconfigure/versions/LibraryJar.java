package dev.kubeinformer.spring.autoconfigure.versions;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Jar on the class path that contains a library.
 *
 * @param library the library
 * @param version the version; {@code null} if the jar does not contain it
 * @param name the name of the jar, or of the directory with the classes
 */
record LibraryJar(Library library, @Nullable String version, String name) {

	private static final Pattern NUMBERED = Pattern.compile("-(\\d+\\.\\d.*)\\.jar");

	/**
	 * Reads the version of a jar.
	 * @param library the library that the jar contains
	 * @param root the URL of the jar's content, with a slash at its end
	 * @return the jar
	 */
	static LibraryJar read(Library library, String root) {
		String name = name(root);
		String version = ofPomProperties(library, root);
		if (version == null) {
			version = ofManifest(library, root);
		}
		return new LibraryJar(library, (version != null) ? version : ofName(name), name);
	}

	/**
	 * Returns the name of a jar.
	 * @param root the URL of the jar's content
	 * @return the name, for a directory the last part of its path
	 */
	static String name(String root) {
		// Handles nested jars of Spring Boot, too:
		// jar:nested:/app.jar/!BOOT-INF/lib/okio.jar!/
		String path = root.replaceAll("!?/+$", "");
		return path.substring(path.lastIndexOf('/') + 1);
	}

	private static @Nullable String ofPomProperties(Library library, String root) {
		// Only the jars of the official client have a pom.properties.
		if (!library.group().equals("io.kubernetes")) {
			return null;
		}
		try (InputStream stream = open(
				"%sMETA-INF/maven/%s/%s/pom.properties".formatted(root, library.group(), library.artifact()))) {
			Properties properties = new Properties();
			properties.load(stream);
			return properties.getProperty("version");
		}
		catch (IOException | IllegalArgumentException ex) {
			return null;
		}
	}

	private static @Nullable String ofManifest(Library library, String root) {
		try (InputStream stream = open(root + "META-INF/MANIFEST.MF")) {
			Attributes attributes = new Manifest(stream).getMainAttributes();
			// Check the bundle: a jar with many libraries has the manifest of the
			// application, with the version of the application.
			String bundle = attributes.getValue("Bundle-SymbolicName");
			return (bundle != null && bundle.startsWith(library.group())) ? attributes.getValue("Bundle-Version")
					: null;
		}
		catch (IOException | IllegalArgumentException ex) {
			return null;
		}
	}

	private static InputStream open(String url) throws IOException {
		URLConnection connection = URI.create(url).toURL().openConnection();
		// Do not cache: the JVM would keep the jar open until it ends.
		connection.setUseCaches(false);
		return connection.getInputStream();
	}

	private static @Nullable String ofName(String name) {
		Matcher matcher = NUMBERED.matcher(name);
		return matcher.find() ? matcher.group(1) : null;
	}

	/**
	 * Returns the major version.
	 * @return the number; -1 if the version is unknown
	 */
	int major() {
		String number = (this.version != null) ? this.version.replaceFirst("[.-].*", "") : "";
		return number.matches("\\d{1,6}") ? Integer.parseInt(number) : -1;
	}

	@Override
	public String toString() {
		return "%s %s ('%s')".formatted(this.library.title(),
				(this.version != null) ? this.version : "of unknown version", this.name);
	}

}
