package dev.kubeinformer.benchmark.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Class path that consists of jars only, because class caches do not support directories.
 */
public final class JarPath {

	private JarPath() {
	}

	/**
	 * Packs the directories of a class path into jars.
	 * @param classPath the class path
	 * @param directory the directory of the jars
	 * @return the class path of jars
	 * @throws IOException if a jar cannot be written
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
