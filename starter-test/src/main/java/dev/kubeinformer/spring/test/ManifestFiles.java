package dev.kubeinformer.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definitions.DefinitionChanges;

/**
 * Writes manifests to a folder or a file, or compares them with its content.
 *
 * @param output the folder, or a file with the ending {@code .yaml} or {@code .yml}
 * @param files the text of each file by its path in the folder
 * @param header the first lines of each file
 * @param allClusters {@code true} if the files are for all clusters of the application;
 * {@code false} if they are for one cluster
 */
record ManifestFiles(Path output, SortedMap<String, String> files, String header, boolean allClusters) {

	static ManifestFiles of(Path output, SortedMap<String, String> files, String header, boolean allClusters) {
		return new ManifestFiles(output, isFile(output) ? together(files) : files, header, allClusters);
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
	 * Checks that no definition changes in a way that can break stored objects, and that
	 * no file with definitions is deleted.
	 * @param advice a sentence for the exception, which says how to accept the changes
	 * @throws BreakingDefinitionChangesException if a definition changes in this way or
	 * is deleted
	 */
	void checkDefinitions(String advice) {
		SortedMap<String, String> all = new TreeMap<>(this.files);
		stale().forEach((path) -> all.put(path, ""));
		all.forEach((path, text) -> {
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
	 * Writes the files that differ, and deletes files of earlier manifests that are no
	 * longer needed.
	 * @return the files that were written or deleted
	 */
	List<Path> write() {
		List<Path> changed = new ArrayList<>();
		this.files.forEach((path, text) -> {
			String content = header(folder(path)) + text;
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
	 * Compares the files with the objects that they should contain.
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

	private String header(String folder) {
		return folder.isEmpty() ? this.header
				: this.header + "# For the cluster '%s'.\n".formatted(folder.substring(0, folder.length() - 1));
	}

	private static String folder(String path) {
		return path.substring(0, path.lastIndexOf('/') + 1);
	}

	// Finds generated files that are no longer needed. A file without the header was not
	// generated.
	private List<String> stale() {
		if (isFile(this.output)) {
			return List.of();
		}
		TreeSet<String> needed = new TreeSet<>(Set.of(""));
		this.files.keySet().forEach((path) -> needed.add(folder(path)));
		String first = this.header.lines().findFirst().orElse(this.header);
		TreeSet<String> stale = new TreeSet<>();
		needed.forEach((folder) -> stale.addAll(generated(folder, first)));
		if (this.allClusters) {
			// Other sub-folders may have manifests of the same application for another
			// purpose, such as a profile.
			subFolders().stream()
				.filter((folder) -> !needed.contains(folder))
				.forEach((folder) -> stale.addAll(generated(folder, header(folder))));
		}
		stale.removeAll(this.files.keySet());
		return List.copyOf(stale);
	}

	private List<String> generated(String folder, String start) {
		return ManifestDocuments.names().stream().map((name) -> folder + name).filter((path) -> {
			String text = read(path);
			return text != null && text.startsWith(start);
		}).toList();
	}

	private List<String> subFolders() {
		if (!Files.isDirectory(this.output)) {
			return List.of();
		}
		try (Stream<Path> children = Files.list(this.output)) {
			return children.filter(Files::isDirectory).map((folder) -> folder.getFileName() + "/").toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read '%s'".formatted(this.output), ex);
		}
	}

	private @Nullable String read(String path) {
		Path file = file(path);
		try {
			// Git may have changed the line endings.
			return Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.UTF_8).replace("\r\n", "\n")
					: null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read '%s'".formatted(file), ex);
		}
	}

}
