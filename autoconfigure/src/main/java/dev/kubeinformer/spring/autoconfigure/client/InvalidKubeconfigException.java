package dev.kubeinformer.spring.autoconfigure.client;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a kubeconfig cannot be read or does not say enough. Its content is never
 * part of the message, as it holds credentials.
 */
public class InvalidKubeconfigException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	InvalidKubeconfigException(String message, String action) {
		super(message, action);
	}

}
