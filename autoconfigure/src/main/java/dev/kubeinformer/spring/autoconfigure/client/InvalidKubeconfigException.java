package dev.kubeinformer.spring.autoconfigure.client;

import java.nio.file.Path;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a kubeconfig cannot be read or does not say enough. Its content is never
 * part of the message, as it holds credentials.
 */
public class InvalidKubeconfigException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	InvalidKubeconfigException(Path file, KubeconfigPlace place, String problem) {
		super("The kubeconfig '%s' (from %s) %s".formatted(file, place.origin(), problem),
				("Correct the file, or name another one with '%s.kubeconfig'. "
						+ "'kubectl config view --kubeconfig=%s' shows what kubectl makes of it.")
					.formatted(place.prefix(), file));
	}

}
