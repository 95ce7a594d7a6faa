package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Collection;
import java.util.stream.Collectors;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when informers of the default cluster need a client, and each that the
 * application has is that of a cluster with a name.
 */
public class NoDefaultApiClientException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	NoDefaultApiClientException(Collection<String> beans) {
		super("The default cluster has no ApiClient: each of these beans is that of a cluster below "
				+ "'kubernetes.clusters', and in the place of the auto-configured one: %s"
					.formatted(beans.stream().map("'%s'"::formatted).collect(Collectors.joining(", "))),
				"Declare such a bean with @Bean(defaultCandidate = false), and under another name than "
						+ "'kubernetesApiClient', so that there is a client of 'kubernetes.client' beside it.");
	}

}
