package dev.kubeinformer.benchmark.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Class path of jars alone: caches of classes take no directories.
 */
public final class JarPath {

	private JarPath() {
	}

	/**
	 * Puts the directories of a class path into jars.
	 * @param classPath the class path
	 * @param directory where the jars go
	 * @return the class path of jars
	 * @throws IOException if a jar cannot be made
	 */
	public static String of(String classPath, Path directory) throws IOException {
		Files.createDirectories(directory);
		ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
		List<String> entries = new ArrayList<>();
		for (String entry : classPath.split(File.pathSeparator)) {
			if (!Files.isDirectory(Path.of(entry))) {
				entries.add(entry);
				continue;
			}
			String file = directory.resolve(entries.size() + ".jar").toString();
			int exit = jar.run(System.out, System.err, "--create", "--file", file, "-C", entry, ".");
			if (exit != 0) {
				throw new IOException("The classes in '%s' cannot be put into a jar".formatted(entry));
			}
			entries.add(file);
		}
		return String.join(File.pathSeparator, entries);
	}

}
