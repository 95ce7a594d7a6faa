package dev.kubeinformer.internal.transport;

import java.time.Duration;

import dev.kubeinformer.internal.http.OwnConnections;

/**
 * Answers that are too long where each write goes over a connection that only writes use.
 */
class OwnConnectionBoundTests extends BoundedAnswerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@Override
	OwnConnections.Limits limits() {
		return new OwnConnections.Limits(8, 1, LONG, LONG, LONG, LONG);
	}

}
