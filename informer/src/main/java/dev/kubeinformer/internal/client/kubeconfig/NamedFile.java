package dev.kubeinformer.internal.client.kubeconfig;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Resolves and checks the paths of files that a kubeconfig names, such as certificates.
 */
final class NamedFile {

	/** Maximum length of a path in a message. */
	private static final int LENGTH = 1000;

	private NamedFile() {
	}

	/**
	 * Resolves a path against the directory of its kubeconfig.
	 * @param place the entry of the kubeconfig that names the file
	 * @param folder the directory of the kubeconfig; {@code null} to keep relative paths
	 * @param field the name of the field that names the file
	 * @param text the path
	 * @return the resolved path
	 */
	static Path resolve(Place place, @Nullable Path folder, String field, String text) {
		try {
			return (folder != null) ? folder.resolve(text).normalize() : Path.of(text);
		}
		catch (InvalidPathException ex) {
			throw place.invalid(field, "is not a valid path", "Name a file.");
		}
	}

	/**
	 * Verifies that a file can be read, without reading it.
	 * @param place the entry of the kubeconfig that names the file
	 * @param field the name of the field that names the file
	 * @param path the path
	 */
	static void check(Place place, String field, Path path) {
		String problem = problem(path);
		if (problem != null) {
			throw place.invalid(field,
					"names the file '%s', which %s".formatted(PrintableText.of(path.toString(), LENGTH), problem),
					"Provide the file, or correct '%s'.".formatted(field));
		}
	}

	private static @Nullable String problem(Path path) {
		if (Files.notExists(path)) {
			return "does not exist";
		}
		if (Files.isDirectory(path)) {
			return "is a directory";
		}
		return Files.isReadable(path) ? null : "this process may not read";
	}

}
