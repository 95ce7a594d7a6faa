package dev.kubeinformer.internal.client.credential;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Reason why a command could not be started.
 *
 * @param text the end of a sentence that begins with the command
 * @param missing {@code true} if installing the command solves the problem
 */
record CommandProblem(String text, boolean missing) {

	/**
	 * Error number of the system: {@code error=2, No such file} up to JDK 24,
	 * {@code error: 2 (No such file)} from JDK 25 on.
	 */
	private static final Pattern ERROR = Pattern.compile("\\berror(?:=|: )(\\d+)\\b");

	private static final String NO_SUCH_FILE = "2";

	/**
	 * Finds out why a command could not be started.
	 * @param command the command
	 * @param searchPath the variable {@code PATH}; {@code null} if it is not set
	 * @param failure the exception
	 * @return the reason
	 */
	static CommandProblem of(String command, @Nullable String searchPath, IOException failure) {
		List<Path> candidates = candidates(command, searchPath);
		List<Path> files = candidates.stream().filter(Files::exists).toList();
		if (files.isEmpty()) {
			return new CommandProblem((candidates.size() == 1 && isPath(command)) ? "does not exist"
					: "is not in the PATH of this process", true);
		}
		if (files.stream().allMatch(Files::isDirectory)) {
			return new CommandProblem("is a directory", true);
		}
		if (files.stream().noneMatch((file) -> Files.isExecutable(file) && !Files.isDirectory(file))) {
			return new CommandProblem("is not executable by the user of this process", true);
		}
		String message = String.valueOf(failure.getMessage());
		MatchResult error = error(message);
		if (error != null && error.group(1).equals(NO_SUCH_FILE)) {
			return new CommandProblem(
					"cannot be started, because the interpreter that its first line names does not exist", false);
		}
		return new CommandProblem(
				"cannot be started (%s)".formatted(
						(error != null) ? message.substring(error.start()).strip() : "it is not a valid command"),
				false);
	}

	private static boolean isPath(String command) {
		return command.contains(File.separator);
	}

	private static List<Path> candidates(String command, @Nullable String searchPath) {
		try {
			if (isPath(command)) {
				return List.of(Path.of(command));
			}
			return Arrays.stream(((searchPath != null) ? searchPath : "").split(File.pathSeparator))
				.filter((folder) -> !folder.isEmpty())
				.map((folder) -> Path.of(folder, command))
				.toList();
		}
		catch (InvalidPathException ex) {
			return List.of();
		}
	}

	// The message of the JDK contains the command, then the reason of the system.
	private static @Nullable MatchResult error(String message) {
		return ERROR.matcher(message).results().reduce((first, second) -> second).orElse(null);
	}

}
