package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Compare}, with programs that only print.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "External commands are those of sh")
class CompareTests {

	private final EmbeddedKubernetes server = EmbeddedKubernetes.start();

	@TempDir
	private Path directory;

	private String state = "";

	@BeforeEach
	void fill() throws IOException {
		this.server.resources(V1Pod.class)
			.create(new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("one")));
		this.server.writeKubeconfig(this.directory.resolve("kubeconfig.yaml"));
		ObjectsState there = new ServerState(this.directory.resolve("kubeconfig.yaml"), "/api/v1/pods").read();
		this.state = new ReportedState(there, there).line();
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void clientsWithTheStateOfTheServerShouldSucceed() throws IOException {
		assertThat(compare(this.state)).isZero();
		assertThat(tables()).contains("| other  | 1       | 2    | 7        |");
	}

	@Test
	void clientThatLiesShouldFailAndBeSeenInTheTable() throws IOException {
		String lie = this.state.replaceAll("\"objects\":\\d+", "\"objects\":2");
		assertThat(compare(lie)).isEqualTo(1);
		assertThat(tables()).contains("| other  | 1       | 2, 2 wrong state |").doesNotContain("7");
	}

	@Test
	void programThatDoesNotSayWhatItHasShouldBeMarked() throws IOException {
		assertThat(compare("synced")).isZero();
		assertThat(tables()).contains("| other  | 1       | 2, 2 state unknown | 7        |");
	}

	private int compare(String line) {
		return Compare.run("--pods=1", "--runs=2", "--clients=", "--out=" + this.directory.resolve("out"),
				"--kubeconfig=" + this.directory.resolve("kubeconfig.yaml"),
				"--external=other=echo 'RESULT {\"wall\":7}'; echo '" + line + "'");
	}

	private String tables() throws IOException {
		return Files.readString(this.directory.resolve("out/tables.md"));
	}

}
