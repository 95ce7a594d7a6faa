package dev.kubeinformer.benchmark.compare;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link ServerJvm}.
 */
class ServerJvmTests {

	@TempDir
	private Path directory;

	@Test
	void serverThatDoesNotStartShouldSayWhy() {
		Path missing = this.directory.resolve("missing.yaml");
		Path errors = this.directory.resolve("ReplayServer-errors.txt");
		assertThatIOException().isThrownBy(() -> ServerJvm.replay(missing, 1, this.directory))
			.withMessageStartingWith("ReplayServer did not start, exit code 1, see " + errors)
			.withMessageContaining("at dev.kubeinformer.benchmark.compare.server.ReplayServer.main");
		assertThat(errors).content().contains("NoSuchFileException", "missing.yaml");
	}

}
