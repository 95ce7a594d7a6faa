package dev.kubeinformer.spring.autoconfigure.client;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a client cannot be made of what names the cluster.
 */
class UnusableClientException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnusableClientException(String message, String action) {
		super(message, action);
	}

}
