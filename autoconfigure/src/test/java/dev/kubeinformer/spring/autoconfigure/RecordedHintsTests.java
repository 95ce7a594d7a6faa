package dev.kubeinformer.spring.autoconfigure;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.aot.agent.RuntimeHintsAgent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that what our code asks the JVM for by reflection while an application runs is in
 * the hints for a native image.
 */
@SuppressWarnings({ "deprecation", "removal" }) // the tracing agent is part of GraalVM
class RecordedHintsTests {

	/** Our own packages, without those of tests. */
	private static final String PACKAGES = "+dev.kubeinformer.,-dev.kubeinformer.test.";

	@Test
	void whatIsAskedForWhileAnApplicationRunsShouldBeInTheHints() throws Exception {
		Path agent = Path.of(RuntimeHintsAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		try (ForkedApplication application = ForkedApplication
			.start(List.of("-javaagent:%s=%s".formatted(agent, PACKAGES)), RecordedHints.class)) {
			application.awaitLine(RecordedHints.DONE);
			assertThat(application.awaitExit()).isZero();
		}
	}

}
