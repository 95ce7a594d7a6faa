package dev.kubeinformer.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definitions.DefinitionChanges;

/**
 * Writes manifests to a folder or a file, and compares them with one.
 *
 * @param output the folder, or a file with the ending {@code .yaml} or {@code .yml}
 * @param files the text of each file by its path in the folder
 * @param header the first lines of each file
 */
record ManifestFiles(Path output, SortedMap<String, String> files, String header) {

	static ManifestFiles of(Path output, SortedMap<String, String> files, String header) {
		return new ManifestFiles(output, isFile(output) ? together(files) : files, header);
	}

	private static boolean isFile(Path output) {
		String name = String.valueOf(output.getFileName());
		return name.endsWith(".yaml") || name.endsWith(".yml");
	}

	private static SortedMap<String, String> together(SortedMap<String, String> files) {
		StringBuilder all = new StringBuilder();
		files.forEach((path, text) -> {
			if (path.indexOf('/') >= 0) {
				throw new IllegalArgumentException("The manifests of several clusters need a folder, or a file for "
						+ "each cluster: withCluster(\"%s\")".formatted(path.substring(0, path.indexOf('/'))));
			}
			all.append(text);
		});
		SortedMap<String, String> one = new TreeMap<>();
		one.put("", all.toString());
		return one;
	}

	private Path file(String path) {
		return path.isEmpty() ? this.output : this.output.resolve(path);
	}

	/**
	 * Checks that no definition changes in a breaking way.
	 * @param advice the way to accept the changes
	 * @throws BreakingDefinitionChangesException if a definition does
	 */
	void checkDefinitions(String advice) {
		this.files.forEach((path, text) -> {
			if (path.isEmpty() || path.endsWith(ManifestDocuments.DEFINITIONS)) {
				String before = read(path);
				DefinitionChanges changes = (before != null) ? changes(path, before, text) : null;
				if (changes != null && changes.isBreaking()) {
					throw new BreakingDefinitionChangesException(file(path), changes, advice);
				}
			}
		});
	}

	private DefinitionChanges changes(String path, String before, String after) {
		try {
			return DefinitionChanges.between(before, after);
		}
		catch (IllegalArgumentException ex) {
			throw notAManifest(path, ex);
		}
	}

	private IllegalStateException notAManifest(String path, IllegalArgumentException cause) {
		return new IllegalStateException("'%s' is not a manifest: %s".formatted(file(path), cause.getMessage()), cause);
	}

	/**
	 * Writes the files that differ, and deletes those of earlier manifests that are not
	 * needed.
	 * @return the files that were written or deleted
	 */
	List<Path> write() {
		List<Path> changed = new ArrayList<>();
		this.files.forEach((path, text) -> {
			String content = this.header + text;
			if (!content.equals(read(path))) {
				Path file = file(path);
				try {
					Path folder = file.toAbsolutePath().getParent();
					if (folder != null) {
						Files.createDirectories(folder);
					}
					Files.writeString(file, content);
				}
				catch (IOException ex) {
					throw new UncheckedIOException("Cannot write '%s'".formatted(file), ex);
				}
				changed.add(file);
			}
		});
		for (String path : stale()) {
			try {
				Files.delete(file(path));
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot delete '%s'".formatted(file(path)), ex);
			}
			changed.add(file(path));
		}
		return changed;
	}

	/**
	 * Compares the files with what they should have.
	 * @return a line for each difference; empty if there is none
	 */
	List<String> differences() {
		List<String> lines = new ArrayList<>();
		this.files.forEach((path, text) -> {
			String actual = read(path);
			if (actual == null) {
				lines.add("'%s' is missing".formatted(file(path)));
				return;
			}
			List<Map<String, Object>> documents;
			try {
				documents = ManifestYaml.read(actual);
			}
			catch (IllegalArgumentException ex) {
				lines.add("'%s' is not a manifest: %s".formatted(file(path), ex.getMessage()));
				return;
			}
			lines.addAll(ManifestDifference.of(documents, ManifestYaml.read(text)));
		});
		stale().forEach((path) -> lines.add("'%s' is not needed".formatted(file(path))));
		return lines;
	}

	// A file without the header is not ours.
	private List<String> stale() {
		TreeSet<String> candidates = new TreeSet<>();
		for (String path : this.files.keySet()) {
			String folder = path.substring(0, path.lastIndexOf('/') + 1);
			if (!path.isEmpty()) {
				ManifestDocuments.names().forEach((name) -> candidates.add(folder + name));
			}
		}
		candidates.removeAll(this.files.keySet());
		String first = this.header.lines().findFirst().orElse(this.header);
		return candidates.stream().filter((path) -> {
			String text = read(path);
			return text != null && text.startsWith(first);
		}).toList();
	}

	private @Nullable String read(String path) {
		Path file = file(path);
		try {
			// Git may have changed the ends of the lines.
			return Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.UTF_8).replace("\r\n", "\n")
					: null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read '%s'".formatted(file), ex);
		}
	}

}
