package dev.kubeinformer.spring.autoconfigure.client;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Failure analyzer for clients that an application creates itself with
 * {@link dev.kubeinformer.client.Clients}.
 */
class ClientConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ClientConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ClientConfigurationException cause) {
		String action = cause.getAction();
		return new FailureAnalysis(cause.getMessage(),
				(action != null) ? action : "Correct the configuration of the client that the message names.", cause);
	}

}
