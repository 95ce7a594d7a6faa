package dev.kubeinformer.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.kubeinformer.resource.UnreadableClassException;

/**
 * Failure analyzer for classes of custom resources whose objects cannot be read. A class
 * that a handler or injection point uses is reported earlier, in a message that also
 * names the handler or injection point.
 */
class UnreadableClassFailureAnalyzer extends AbstractFailureAnalyzer<UnreadableClassException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnreadableClassException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAdvice(), cause);
	}

}
