package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Runs the statements of {@code docs/testing.md} that are no tests themselves: those
 * {@link PageTestsTests} runs.
 */
@Tag("once")
@TestInstance(Lifecycle.PER_CLASS)
class TestingPageTests {

	private final RunningPage page;

	TestingPageTests() throws IOException {
		this.page = new RunningPage("docs/testing.md");
	}

	@AfterAll
	void close() throws IOException {
		this.page.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "listNamespacedPod(\"default\")", "garbageCollection(true).start()" })
	void statementsShouldRun(String code) throws Exception {
		assertThatCode(() -> this.page.run(code, Map.of())).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "watchLag(Duration.ofMillis(500))", "\"gadgets\", \"Gadget\", true)" })
	void statementsShouldRunOnAServer(String code) throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			assertThatCode(() -> this.page.run(code, Map.of("api", api))).doesNotThrowAnyException();
		}
	}

	@Test
	void kubeconfigShouldBeWritten() throws Exception {
		Path kubeconfig = Path.of("target/kubeconfig");
		Files.deleteIfExists(kubeconfig);
		this.page.run("writeKubeconfig", Map.of());
		assertThat(kubeconfig).content().contains("reader-token");
	}

}
