package dev.kubeinformer.test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TrainingClusterTests {

	private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

	@TempDir
	private Path folder;

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			pods.yaml                          | neither a command
			pods.yaml --                       | neither a command
			--copies=many -- true              | '--copies=many' has no positive number
			--copies=0 -- true                 | '--copies=0' has no positive number
			--period -- true                   | '--period' has no positive number
			--kubeconfig                       | '--kubeconfig' has no file
			--objects=pods.yaml -- true        | Unknown option '--objects=pods.yaml'
			/no/such/pods.yaml -- true         | /no/such/pods.yaml
			""")
	void whatCannotBeMeantShouldBeNamed(String arguments, String message) throws InterruptedException {
		assertThat(run(arguments.split(" "))).isEqualTo(2);
		assertThat(this.errors.toString(StandardCharsets.UTF_8)).startsWith("TrainingCluster: ").contains(message);
	}

	@Test
	void documentThatIsNoObjectShouldBeNamed() throws IOException, InterruptedException {
		Path file = Files.writeString(this.folder.resolve("pods.yaml"), "kind: Pod\n");
		assertThat(run(file.toString(), "--", "true")).isEqualTo(2);
		assertThat(this.errors.toString(StandardCharsets.UTF_8)).contains("pods.yaml");
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void exitCodeShouldBeThatOfTheCommandWhichHasTheKubeconfig() throws IOException, InterruptedException {
		Path file = Files.writeString(this.folder.resolve("pods.yaml"), """
				apiVersion: v1
				kind: Pod
				metadata:
				  name: web
				  namespace: shop
				""");
		Path copy = this.folder.resolve("kubeconfig");
		assertThat(run(file.toString(), "--copies=3", "--", "sh", "-c", "cp \"$KUBECONFIG\" '" + copy + "'; exit 7"))
			.isEqualTo(7);
		assertThat(copy).content().contains("training-token");
	}

	private int run(String... arguments) throws InterruptedException {
		return TrainingCluster.run(new PrintStream(this.errors, true, StandardCharsets.UTF_8), arguments);
	}

}
