package dev.kubeinformer.internal.transport;

import java.time.Duration;

import dev.kubeinformer.internal.http.OwnConnections;

/**
 * What becomes of requests that are refused, cancelled or not answered where each goes
 * over a connection that only writes use.
 */
class OwnConnectionWritesTests extends ApiWritesTests {

	@Override
	OwnConnections.Limits limits() {
		return new OwnConnections.Limits(8, 1, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(30));
	}

}
