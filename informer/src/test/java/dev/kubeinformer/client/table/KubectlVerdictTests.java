package dev.kubeinformer.client.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Verdicts of kubectl on the table. The test records them with {@code
 * -Dkubectl.record=true}. Otherwise it asks kubectl about every third row, or about all
 * of them with {@code -Dkubectl.all=true}, for example for another version of kubectl.
 */
@Tag("slow")
class KubectlVerdictTests {

	private static final Path RECORD = Path.of("src/test/resources/dev/kubeinformer/client/table/kubectl.yaml");

	/** One of so many rows is asked; a call of kubectl takes a second. */
	private static final int SAMPLE = 3;

	@TempDir
	Path folder;

	@Test
	@Timeout(value = 15, unit = TimeUnit.MINUTES)
	void kubectlStillGivesTheRecordedVerdicts() throws Exception {
		String command = System.getProperty("kubectl", "");
		assumeFalse(command.isBlank(), "no kubectl: -Dkubectl names its command");
		Map<String, Verdict> verdicts = new LinkedHashMap<>();
		StringBuilder record = new StringBuilder();
		try (TableServers servers = new TableServers()) {
			Kubectl kubectl = new Kubectl(command);
			int every = (isRecording() || Boolean.getBoolean("kubectl.all")) ? 1 : SAMPLE;
			for (KubeconfigCase row : KubeconfigTable.cases()) {
				boolean asked = Math.floorMod(row.name().hashCode(), every) == 0;
				if (!asked || (row.needs() != null && !servers.has(row.needs()))) {
					continue;
				}
				Path files = Files.createDirectories(this.folder.resolve(row.name()));
				row.write(files, servers);
				Kubectl.Said said = kubectl.ask(row, files, servers);
				assertThat(verdicts.put(row.name(), said.verdict())).as("twice: " + row.name()).isNull();
				append(record, row.name(), said);
			}
		}
		if (isRecording()) {
			Files.writeString(RECORD, "# Written by KubectlVerdictTests with -Dkubectl.record=true, of kubectl %s.\n"
				.formatted(new Kubectl(command).version()) + record);
			return;
		}
		Map<String, Verdict> recorded = KubeconfigTable.kubectl();
		assertThat(verdicts).isNotEmpty()
			.allSatisfy((name, verdict) -> assertThat(verdict).as(name).isEqualTo(recorded.get(name)));
	}

	private static boolean isRecording() {
		return Boolean.getBoolean("kubectl.record");
	}

	private static void append(StringBuilder record, String name, Kubectl.Said said) throws IOException {
		record.append(name).append(":\n  verdict: ").append(quoted(said.verdict().text())).append('\n');
		if (!said.message().isEmpty()) {
			record.append("  kubectl: ").append(quoted(said.message())).append('\n');
		}
	}

	private static String quoted(String text) {
		return "'" + text.replace("'", "''") + "'";
	}

}
