package dev.kubeinformer.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Failure analyzer for everything that is declared or configured in a way that cannot
 * work. The exceptions name their place themselves.
 */
class InformerConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InformerConfigurationException>
		implements Ordered {

	@Override
	public int getOrder() {
		// Before those of the causes that our exceptions explain.
		return 0;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InformerConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.getAction(), cause);
	}

}
