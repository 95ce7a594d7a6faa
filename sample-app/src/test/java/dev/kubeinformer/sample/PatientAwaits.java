package dev.kubeinformer.sample;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives conditions of tests more time than Awaitility would, for machines that are busy.
 */
public final class PatientAwaits implements BeforeAllCallback {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(LIMIT);
	}

}
