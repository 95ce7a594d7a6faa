package dev.kubeinformer.docs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The imports that a page leaves out: of each simple name the class that is likeliest
 * meant, from all that are on the class path.
 */
class Imports {

	/** Where a simple name is ambiguous, an earlier one of these is meant. */
	private static final List<String> PREFERRED = List.of("dev.kubeinformer", "org.slf4j", "org.junit.jupiter.api",
			"org.testcontainers.junit.jupiter", "org.testcontainers.k3s", "java.util.function", "java.util.stream",
			"java.util.concurrent", "java.util", "java.time", "java.io", "java.nio.file", "java.net",
			"io.kubernetes.client.openapi.models", "io.kubernetes.client.informer", "io.kubernetes.client.util",
			"org.springframework.stereotype", "org.springframework.context.annotation",
			"org.springframework.beans.factory", "org.springframework.boot", "org.springframework",
			"io.kubernetes.client");

	private static final List<String> SCANNED = List.of("dev/kubeinformer/", "org/springframework/",
			"io/kubernetes/client/", "io/micrometer/", "org/slf4j/", "org/junit/jupiter/", "org/testcontainers/",
			"com/github/tomakehurst/", "com/google/gson/", "okhttp3/", "org/assertj/core/api/",
			"io/fabric8/kubernetes/client/", "org/jspecify/");

	private static final Pattern CLASS_NAME = Pattern.compile("(?<![\\w.\"])[A-Z]\\w*");

	private static final Pattern TEXT_BLOCK_STRING_OR_COMMENT = Pattern
		.compile("\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);

	private final Map<String, Set<String>> classes = new HashMap<>();

	Imports(String classPath) {
		try {
			FileSystem jdk = FileSystems.getFileSystem(URI.create("jrt:/"));
			for (String module : List.of("java.base", "java.net.http", "java.sql")) {
				Path root = jdk.getPath("modules", module);
				scan(root.resolve("java"), (file) -> add(root.relativize(file).toString()));
			}
			for (String entry : classPath.split(File.pathSeparator)) {
				scanEntry(Path.of(entry));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the class path", ex);
		}
	}

	private void scanEntry(Path entry) throws IOException {
		if (Files.isDirectory(entry)) {
			scan(entry, (file) -> addScanned(entry.relativize(file).toString()));
		}
		else if (entry.toString().endsWith(".jar")) {
			try (JarFile jar = new JarFile(entry.toFile())) {
				jar.stream().forEach((file) -> addScanned(file.getName()));
			}
		}
	}

	private static void scan(Path directory, Consumer<Path> consumer) throws IOException {
		if (Files.isDirectory(directory)) {
			try (Stream<Path> files = Files.walk(directory)) {
				files.filter(Files::isRegularFile).forEach(consumer);
			}
		}
	}

	private void addScanned(String file) {
		if (SCANNED.stream().anyMatch(file::startsWith) && !file.startsWith("dev/kubeinformer/docs/")) {
			add(file);
		}
	}

	private void add(String file) {
		if (file.endsWith(".class") && !file.contains("$") && !file.contains("/internal/") && file.contains("/")) {
			String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
			this.classes
				.computeIfAbsent(name.substring(name.lastIndexOf('.') + 1), (key) -> new TreeSet<>(byPreference()))
				.add(name);
		}
	}

	private static Comparator<String> byPreference() {
		return Comparator.<String>comparingInt(Imports::rank)
			.thenComparingInt((name) -> name.split("\\.").length)
			.thenComparing(Comparator.naturalOrder());
	}

	private static int rank(String name) {
		for (int i = 0; i < PREFERRED.size(); i++) {
			if (name.startsWith(PREFERRED.get(i) + ".")) {
				return i;
			}
		}
		return PREFERRED.size();
	}

	/**
	 * The imports of code, in one line.
	 * @param code the code
	 * @param known the simple names that need none
	 */
	String of(String code, Set<String> known) {
		StringBuilder imports = new StringBuilder();
		String bare = bare(code);
		new TreeSet<>(CLASS_NAME.matcher(bare).results().map((name) -> name.group()).toList()).stream()
			.filter((name) -> !known.contains(name) && !bare.matches("(?s).*\\." + name + "[;\\n].*"))
			.filter((name) -> this.classes.containsKey(name) && !this.classes.get(name).contains("java.lang." + name))
			.map((name) -> find(name, bare.contains("@" + name)))
			.forEach((name) -> imports.append("import ").append(name).append("; "));
		return imports.toString();
	}

	/**
	 * The code without strings and comments.
	 */
	static String bare(String code) {
		return TEXT_BLOCK_STRING_OR_COMMENT.matcher(code).replaceAll(" ");
	}

	private String find(String name, boolean annotation) {
		Set<String> candidates = this.classes.get(name);
		return candidates.stream()
			.filter((candidate) -> !annotation || !candidate.startsWith("java."))
			.findFirst()
			.orElseGet(() -> candidates.iterator().next());
	}

}
