package dev.kubeinformer.benchmark.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Programs outside of the Maven build, in directories of this module. They are built on
 * demand, with tools that must be on the path.
 */
public final class SideProgram {

	private SideProgram() {
	}

	/**
	 * Returns the directory of a program's sources.
	 * @param name the name of the program
	 * @return the directory, whether this runs in the module or in its parent
	 */
	public static Path sources(String name) {
		Path directory = Path.of(name).toAbsolutePath();
		return Files.isDirectory(directory) ? directory : Path.of("benchmarks", name).toAbsolutePath();
	}

	/**
	 * Returns whether Go programs can be built.
	 * @return {@code true} if {@code go} is on the path
	 */
	public static boolean hasGo() {
		String path = System.getenv().getOrDefault("PATH", "");
		return Arrays.stream(path.split(File.pathSeparator))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, "go"))
					|| Files.isExecutable(Path.of(directory, "go.exe")));
	}

	/**
	 * Builds a Go program.
	 * @param name the name of its directory
	 * @param out the directory for the program
	 * @return the program
	 * @throws IOException if it cannot be built
	 * @throws InterruptedException if interrupted
	 */
	public static Path go(String name, Path out) throws IOException, InterruptedException {
		return go(name, ".", out.resolve(name));
	}

	/**
	 * Builds one of the programs of a Go module.
	 * @param name the name of its directory
	 * @param source the directory of the program in it, such as {@code ./runtime}
	 * @param file where the program goes
	 * @return the program
	 * @throws IOException if it cannot be built
	 * @throws InterruptedException if interrupted
	 */
	public static Path go(String name, String source, Path file) throws IOException, InterruptedException {
		Path program = file.toAbsolutePath();
		build(sources(name), List.of("go", "build", "-trimpath", "-o", program.toString(), source));
		return program;
	}

	/**
	 * Runs the command that builds a program.
	 * @param directory the working directory
	 * @param command the command
	 * @throws IOException if the command cannot be run
	 * @throws InterruptedException if interrupted
	 */
	public static void build(Path directory, List<String> command) throws IOException, InterruptedException {
		System.out.println("building: " + String.join(" ", command));
		int exit = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor();
		if (exit != 0) {
			throw new IllegalStateException(
					"'%s' in %s ended with exit code %d".formatted(String.join(" ", command), directory, exit));
		}
	}

}
