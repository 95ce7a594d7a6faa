package dev.kubeinformer.internal.transport;

import java.time.Duration;

import dev.kubeinformer.internal.http.OwnConnections;

/**
 * Requests that are refused, cancelled or not answered, over connections that only writes
 * use.
 */
class OwnConnectionWritesTests extends ApiWritesTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@Override
	OwnConnections.Limits limits() {
		return new OwnConnections.Limits(8, 1, LONG, LONG, LONG, LONG);
	}

}
