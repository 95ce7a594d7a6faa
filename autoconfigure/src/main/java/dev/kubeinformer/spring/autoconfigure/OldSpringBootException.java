package dev.kubeinformer.spring.autoconfigure;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when Spring Boot is older than the starter needs.
 */
class OldSpringBootException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	OldSpringBootException(String version, String oldest) {
		super("The starter of Kubernetes Informer cannot be used with Spring Boot %s: it needs %s or newer"
			.formatted(version, oldest),
				"Upgrade Spring Boot to %s or newer, or use the engine alone: the artifact 'kubernetes-informer' needs no Spring."
					.formatted(oldest));
	}

}
