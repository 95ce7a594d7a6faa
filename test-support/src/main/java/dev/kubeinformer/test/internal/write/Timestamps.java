package dev.kubeinformer.test.internal.write;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Times in the format of metadata in Kubernetes, with whole seconds.
 */
final class Timestamps {

	private Timestamps() {
	}

	static String now() {
		return after(0);
	}

	static String after(long seconds) {
		return Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS).toString();
	}

}
