package dev.kubeinformer.maven;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the arguments of the {@code java} launcher to a file, because a class path can
 * be too long for the command line of an operating system.
 */
final class ArgumentFile {

	private ArgumentFile() {
	}

	/**
	 * Writes arguments to a temporary file.
	 * @param arguments the arguments
	 * @return the file
	 * @throws IOException if the file cannot be written
	 */
	static Path write(List<String> arguments) throws IOException {
		Path file = Files.createTempFile("kubernetes-informer-", ".args");
		// The launcher reads the file in the encoding of the system.
		String name = System.getProperty("native.encoding");
		Files.writeString(file, content(arguments), (name != null) ? Charset.forName(name) : Charset.defaultCharset());
		return file;
	}

	/**
	 * Quotes arguments by the rules in the documentation of the launcher.
	 * @param arguments the arguments
	 * @return a line for each argument
	 */
	static String content(List<String> arguments) {
		return arguments.stream()
			.map((argument) -> '"'
					+ argument.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\r", "\\r")
					+ '"')
			.collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator()));
	}

}
