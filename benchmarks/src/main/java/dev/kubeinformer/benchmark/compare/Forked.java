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
 * Program that ran to its end, with its output.
 *
 * @param outcome the outcome
 * @param values the measured values
 * @param state the final state, if the program reports it
 * @param problem the end of its output, if it failed
 */
record Forked(Outcome outcome, Map<Measure, Double> values, @Nullable ReportedState state, String problem) {

	/** Exit code of a JVM with {@code -XX:+ExitOnOutOfMemoryError}. */
	private static final int OUT_OF_MEMORY = 3;

	private static final int PROBLEM_LINES = 8;

	/**
	 * Runs a class in a separate JVM.
	 * @param home the directory of the JDK
	 * @param classPath the class path
	 * @param main the class
	 * @param flags the flags of the JVM
	 * @param arguments the arguments of the class
	 * @param limit the longest duration
	 * @param directory the directory for its output
	 * @return the result
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
	 * Returns the command of a JVM on this class path.
	 * @param flags the flags of the JVM
	 * @return the command up to the class, as a mutable list
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
	 * @param line the pattern for the line of a program that prints no result line
	 * @param limit the longest duration
	 * @param directory the directory for its output
	 * @return the result
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
	 * Reads the output of an ended program.
	 * @param exit the exit code
	 * @param output the lines of output
	 * @param line the pattern for a line other than a result line
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
	 * Compares the final state of the program with the server's.
	 * @param server the server's state
	 * @return this result, or a failure without figures
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
	 * Returns the last lines, which describe the problem.
	 * @param output all lines
	 * @return the last few lines
	 */
	static String lastOf(List<String> output) {
		return String.join("\n", output.subList(Math.max(0, output.size() - PROBLEM_LINES), output.size()));
	}

}
