package dev.kubeinformer.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.kubeinformer.resource.UnreadableClassException;

/**
 * Failure analyzer for classes of custom resources whose objects cannot be read. Classes of handlers and injection points are reported earlier, with their place.
 */
class UnreadableClassFailureAnalyzer extends AbstractFailureAnalyzer<UnreadableClassException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnreadableClassException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAdvice(), cause);
	}

}
