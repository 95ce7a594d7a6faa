package dev.kubeinformer.client.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Our client connects, fails and refuses where kubectl does, and is the same user.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "plugins are shell scripts")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubeconfigTableTests {

	private final Map<String, Verdict> kubectl = KubeconfigTable.kubectl();

	private final Map<String, Verdict> deviations = KubeconfigTable.deviations();

	private TableServers servers;

	@BeforeAll
	void start() throws Exception {
		this.servers = new TableServers();
	}

	@AfterAll
	void stop() throws IOException {
		this.servers.close();
	}

	@TestFactory
	Stream<DynamicTest> clientDoesWhatKubectlDoes(@TempDir Path folder) {
		return KubeconfigTable.cases()
			.stream()
			.filter((row) -> row.needs() == null || this.servers.has(row.needs()))
			.map((row) -> DynamicTest.dynamicTest(row.toString(), () -> compare(row, folder)));
	}

	private void compare(KubeconfigCase row, Path folder) throws IOException {
		Path files = Files.createDirectories(folder.resolve(row.name()));
		row.write(files, this.servers);
		OurClient.Said said = OurClient.ask(row, files, this.servers);
		Verdict expected = this.deviations.getOrDefault(row.name(), this.kubectl.get(row.name()));
		assertThat(said.verdict()).as(said.message()).isEqualTo(expected);
		if (said.failure() != null) {
			assertThat(row.message()).as("words that the message must have: " + said.message()).isNotEmpty();
			assertThat(said.message()).contains(row.message())
				.doesNotContain("secret-of-", "PRIVATE KEY", "Exception", "sun.", "java.");
		}
		if (said.failure() instanceof ClientConfigurationException refusal) {
			assertThat(refusal).hasNoCause();
			assertThat(refusal.getMessage()).contains(files.toString());
			assertThat(refusal.getAction()).as("mend of: " + refusal.getMessage()).isNotBlank();
		}
	}

	@Test
	void deviationsAreDeviations() {
		assertThat(this.kubectl).containsOnlyKeys(KubeconfigTable.cases().stream().map(KubeconfigCase::name).toList());
		assertThat(this.kubectl).hasSizeGreaterThan(400).containsKeys(this.deviations.keySet().toArray(String[]::new));
		assertThat(this.deviations)
			.allSatisfy((name, verdict) -> assertThat(verdict).as(name).isNotEqualTo(this.kubectl.get(name)));
	}

}
