package dev.kubeinformer.internal.transport;

import java.time.Duration;

import dev.kubeinformer.internal.http.OwnConnections;

/**
 * What becomes of requests that are refused, cancelled or not answered where each goes
 * over a connection that only writes use.
 */
class OwnConnectionWritesTests extends ApiWritesTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@Override
	OwnConnections.Limits limits() {
		return new OwnConnections.Limits(8, 1, LONG, LONG, LONG, LONG);
	}

}
