package dev.kubeinformer.internal.client.credential;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Why a command could not be started.
 *
 * @param text the end of a sentence that begins with the command
 * @param missing whether installing the command mends it
 */
record CommandProblem(String text, boolean missing) {

	/**
	 * Finds out why a command could not be started.
	 * @param command the command
	 * @param searchPath the variable {@code PATH}; {@code null} if it is not set
	 * @param failure what was thrown
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
			return new CommandProblem("is a folder", true);
		}
		if (files.stream().noneMatch((file) -> Files.isExecutable(file) && !Files.isDirectory(file))) {
			return new CommandProblem("is not executable by the user of this process", true);
		}
		String message = String.valueOf(failure.getMessage());
		if (message.contains("error=2,")) {
			return new CommandProblem(
					"cannot be started, because the interpreter that its first line names does not exist", false);
		}
		return new CommandProblem("cannot be started (%s)".formatted(reason(message)), false);
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

	// The JDK's message holds the command, and then the reason of the system.
	private static String reason(String message) {
		int reason = message.lastIndexOf("error=");
		return (reason >= 0) ? message.substring(reason) : "it is not a valid command";
	}

}
