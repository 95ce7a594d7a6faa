package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Collection;
import java.util.stream.Collectors;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when informers need a client and there are several without a primary one.
 */
public class AmbiguousApiClientException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	AmbiguousApiClientException(Collection<String> beans) {
		super("Informers need one ApiClient, and there are %d beans of it, none of them primary: %s"
			.formatted(beans.size(), beans.stream().map("'%s'"::formatted).collect(Collectors.joining(", "))),
				"Mark the client of the cluster that is to be watched with @Primary, or the others with "
						+ "@Bean(defaultCandidate = false). For informers on another cluster too, build them by "
						+ "'Informers.builder(client)'.");
	}

}
