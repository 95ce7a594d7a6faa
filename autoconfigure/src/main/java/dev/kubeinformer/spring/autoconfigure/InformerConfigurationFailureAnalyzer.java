package dev.kubeinformer.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Failure analyzer for invalid declarations and configuration. The exceptions contain their place.
 */
class InformerConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InformerConfigurationException>
		implements Ordered {

	@Override
	public int getOrder() {
		// Before the analyzers of causes, which these exceptions already explain.
		return 0;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InformerConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.getAction(), cause);
	}

}
