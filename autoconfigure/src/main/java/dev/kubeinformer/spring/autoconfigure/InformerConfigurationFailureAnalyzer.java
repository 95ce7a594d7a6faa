package dev.kubeinformer.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Failure analyzer for invalid declarations and configuration. The message of the
 * exception names the faulty code or property.
 */
class InformerConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InformerConfigurationException>
		implements Ordered {

	@Override
	public int getOrder() {
		// Run before the analyzers for the causes of these exceptions, because the
		// exceptions already explain their causes.
		return 0;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InformerConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.getAction(), cause);
	}

}
