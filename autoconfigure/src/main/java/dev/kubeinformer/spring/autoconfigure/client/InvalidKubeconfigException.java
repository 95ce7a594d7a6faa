package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.nio.file.Path;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a kubeconfig cannot be read or does not say enough. Its content is never
 * part of the message, as it holds credentials.
 */
public class InvalidKubeconfigException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	InvalidKubeconfigException(Path file, KubeconfigPlace place, String problem) {
		this(file.toString(), place, problem);
	}

	/**
	 * Creates an exception.
	 * @param files the file, or several as in the variable {@code KUBECONFIG}
	 * @param place what named them
	 * @param problem what is wrong, as the end of a sentence
	 */
	InvalidKubeconfigException(String files, KubeconfigPlace place, String problem) {
		super("The kubeconfig '%s' (from %s) %s".formatted(files, place.origin(), problem),
				("Correct the file, or name another one with '%s.kubeconfig'. '%s' shows what kubectl makes of it.")
					.formatted(place.prefix(), command(files)));
	}

	private static String command(String files) {
		// The option takes one file.
		return files.contains(File.pathSeparator) ? "KUBECONFIG=%s kubectl config view".formatted(files)
				: "kubectl config view --kubeconfig=" + files;
	}

}
