package dev.kubeinformer.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;

import dev.kubeinformer.resource.UnknownResourceTypeException;

/**
 * Failure analyzer for classes that stand for no Kubernetes resource.
 */
class UnknownResourceTypeFailureAnalyzer extends AbstractInjectionFailureAnalyzer<UnknownResourceTypeException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnknownResourceTypeException cause,
			@Nullable String description) {
		String action = ("Use a model class of the official client, or annotate '%s' with "
				+ "@KubernetesResource(group = \"...\", version = \"...\", plural = \"...\"), "
				+ "as its CustomResourceDefinition names them.")
			.formatted(cause.getObjectClass().getName());
		return new FailureAnalysis((description != null) ? description + ": " + cause.getMessage() : cause.getMessage(),
				action, cause);
	}

}
