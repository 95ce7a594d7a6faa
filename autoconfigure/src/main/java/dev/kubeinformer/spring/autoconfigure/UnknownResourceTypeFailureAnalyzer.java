package dev.kubeinformer.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;

import dev.kubeinformer.resource.UnknownResourceTypeException;
import dev.kubeinformer.spring.settings.ResourceTypeAdvice;

/**
 * Failure analyzer for classes that do not map to a Kubernetes resource.
 */
class UnknownResourceTypeFailureAnalyzer extends AbstractInjectionFailureAnalyzer<UnknownResourceTypeException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnknownResourceTypeException cause,
			@Nullable String description) {
		return new FailureAnalysis((description != null) ? description + ": " + cause.getMessage() : cause.getMessage(),
				ResourceTypeAdvice.of(cause), cause);
	}

}
