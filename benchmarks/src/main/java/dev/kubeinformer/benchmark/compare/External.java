package dev.kubeinformer.benchmark.compare;

import java.nio.file.Path;
import java.util.List;

/**
 * Program of another language in the table of the sync.
 *
 * @param name the name in the table
 * @param command the shell command; {@code {kubeconfig}}, {@code {pods}} (the number of
 * objects) and {@code {resource}} are replaced
 */
record External(String name, String command) {

	/**
	 * Reads {@code name=command}.
	 * @param text the text
	 * @return the program
	 */
	static External of(String text) {
		String[] parts = text.split("=", 2);
		if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
			throw new IllegalArgumentException(
					"--external \"%s\" is not name=command, such as other='./other --pods {pods}'".formatted(text));
		}
		return new External(parts[0].strip(), parts[1].strip());
	}

	/**
	 * Returns this program with further arguments.
	 * @param arguments the arguments, for a shell
	 * @return the program
	 */
	External with(String arguments) {
		return new External(this.name, this.command + " " + arguments);
	}

	List<String> command(Path kubeconfig, Resource resource, int objects) {
		return shell(this.command, kubeconfig, resource, objects);
	}

	/**
	 * Returns a shell command with its placeholders replaced.
	 * @param command the command
	 * @param kubeconfig the value of {@code {kubeconfig}}
	 * @param resource the value of {@code {resource}}
	 * @param objects the value of {@code {pods}}
	 * @return the command and its arguments
	 */
	static List<String> shell(String command, Path kubeconfig, Resource resource, int objects) {
		return List.of("sh", "-c",
				command.replace("{kubeconfig}", kubeconfig.toString())
					.replace("{resource}", resource.fullName())
					.replace("{pods}", Integer.toString(objects)));
	}

}
