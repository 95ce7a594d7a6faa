package dev.kubeinformer.internal.client.kubeconfig;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Parses the paths of kubeconfigs.
 */
final class KubeconfigPaths {

	private static final String FILE = "file:";

	private KubeconfigPaths() {
	}

	/**
	 * Splits a list of paths. Skips empty and repeated elements.
	 * @param variable the list, as in the variable {@code KUBECONFIG}
	 * @param path converts an element into a path
	 * @return the paths
	 */
	static List<Path> list(String variable, Function<String, Path> path) {
		List<Path> paths = new ArrayList<>();
		for (String element : variable.split(File.pathSeparator)) {
			if (!element.isBlank()) {
				Path next = path.apply(element.strip());
				if (!paths.contains(next)) {
					paths.add(next);
				}
			}
		}
		// A variable with only separators names a file that does not exist.
		return paths.isEmpty() ? List.of(Path.of(variable.strip())) : List.copyOf(paths);
	}

	/**
	 * Converts a text into a path. The text is a path, a path that begins with {@code ~},
	 * or a URL with the scheme {@code file}.
	 * @param text the text
	 * @param home the home directory
	 * @return the path
	 */
	static Path path(String text, Path home) {
		boolean url = text.toLowerCase(Locale.ROOT).startsWith(FILE);
		String path = url ? text.substring(FILE.length()) : text;
		if (path.equals("~")) {
			return home;
		}
		if (path.startsWith("~/") || path.startsWith("~" + File.separator)) {
			return home.resolve(path.substring(2));
		}
		return url ? ofUrl(path) : Path.of(path);
	}

	private static Path ofUrl(String path) {
		String local = path.replaceFirst("(?i)^//localhost/", "/");
		if (local.startsWith("//") && !local.startsWith("///")) {
			throw new InvalidPathException(FILE + path, "has a host");
		}
		if (!local.startsWith("/")) {
			return Path.of(local);
		}
		String absolute = local.replaceFirst("^/+", "/");
		try {
			return Path.of(new URI(FILE + absolute));
		}
		catch (URISyntaxException ex) {
			// The path is not percent-encoded, so use it literally.
			return Path.of(absolute);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidPathException(FILE + path, "is not the URL of a file");
		}
	}

}
