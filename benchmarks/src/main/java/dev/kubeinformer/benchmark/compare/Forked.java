package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A program that runs to its end, and what it printed.
 *
 * @param outcome how it ended
 * @param values what it measured
 * @param state what it has in the end, if it says so
 * @param problem the end of what it printed, if it failed
 */
record Forked(Outcome outcome, Map<Measure, Double> values, @Nullable ReportedState state, String problem) {

	/** Of a JVM with {@code -XX:+ExitOnOutOfMemoryError}. */
	private static final int OUT_OF_MEMORY = 3;

	private static final int PROBLEM_LINES = 8;

	/**
	 * Runs a class in a JVM of its own.
	 * @param home the directory of the JDK
	 * @param classPath its class path
	 * @param main the class
	 * @param flags the flags of the JVM
	 * @param arguments its arguments
	 * @param limit how long it may take
	 * @param directory where its output goes meanwhile
	 * @return what came of it
	 * @throws IOException if it cannot be started
	 * @throws InterruptedException if interrupted
	 */
	static Forked jvm(Path home, String classPath, Class<?> main, List<String> flags, List<String> arguments,
			Duration limit, Path directory) throws IOException, InterruptedException {
		List<String> command = java(home, classPath, flags);
		command.add("-XX:+ExitOnOutOfMemoryError");
		command.add(main.getName());
		command.addAll(arguments);
		return run(command, null, limit, directory);
	}

	/**
	 * The command of a JVM on this class path.
	 * @param flags its flags
	 * @return the command up to the class, to be added to
	 */
	static List<String> java(List<String> flags) {
		return java(Path.of(System.getProperty("java.home")), System.getProperty("java.class.path"), flags);
	}

	private static List<String> java(Path home, String classPath, List<String> flags) {
		List<String> command = new ArrayList<>();
		command.add(home.resolve("bin/java").toString());
		command.add("-cp");
		command.add(classPath);
		command.addAll(flags);
		return command;
	}

	/**
	 * Runs a command.
	 * @param command the command and its arguments
	 * @param line what reads the line of a program that prints no result line
	 * @param limit how long it may take
	 * @param directory where its output goes meanwhile
	 * @return what came of it
	 * @throws IOException if it cannot be started
	 * @throws InterruptedException if interrupted
	 */
	static Forked run(List<String> command, @Nullable Pattern line, Duration limit, Path directory)
			throws IOException, InterruptedException {
		Path output = Files.createTempFile(directory, "output", ".txt");
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
				process.descendants().forEach(ProcessHandle::destroyForcibly);
				process.destroyForcibly().waitFor();
				return new Forked(Outcome.TIME_LIMIT, Map.of(), null, "");
			}
			return ended(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8).lines().toList(), line);
		}
		finally {
			Files.delete(output);
		}
	}

	/**
	 * What an ended program printed.
	 * @param exit its exit code
	 * @param output the lines that it printed
	 * @param line what reads a line that is not a result line
	 * @return the result
	 */
	static Forked ended(int exit, List<String> output, @Nullable Pattern line) {
		if (exit == OUT_OF_MEMORY && output.stream().anyMatch((text) -> text.contains("OutOfMemoryError"))) {
			return new Forked(Outcome.OUT_OF_MEMORY, Map.of(), null, "");
		}
		if (exit == 0) {
			Map<Measure, Double> values = ResultLine.find(output, line).orElse(Map.of());
			if (!values.isEmpty()) {
				return checked(values, ReportedState.find(output).orElse(null));
			}
		}
		return new Forked(Outcome.FAILED, Map.of(), null, "exit code " + exit + "\n" + lastOf(output));
	}

	private static Forked checked(Map<Measure, Double> values, @Nullable ReportedState state) {
		return new Forked((state != null) ? Outcome.MEASURED : Outcome.UNCHECKED, values, state, "");
	}

	/**
	 * Compares what it has in the end with what the server has.
	 * @param server the server's state
	 * @return this, or a failure that has no figures
	 */
	Forked compared(ObjectsState server) {
		if (this.state == null) {
			return this;
		}
		return this.state.problem(server)
			.map((wrong) -> new Forked(Outcome.WRONG_STATE, Map.of(), this.state, wrong))
			.orElse(this);
	}

	/**
	 * The last lines, which say what went wrong.
	 * @param output all lines
	 * @return a few of them
	 */
	static String lastOf(List<String> output) {
		return String.join("\n", output.subList(Math.max(0, output.size() - PROBLEM_LINES), output.size()));
	}

}
