package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of a variable {@code KUBECONFIG} that names several files.
 */
class KubeconfigMergeTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster();

	@TempDir
	private Path directory;

	/**
	 * The files hold the letters' clusters, contexts and users; a capital one is current.
	 * The server of a cluster has the name of its file and of the cluster.
	 */
	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			a B, b C,  -, http://first-b:1
			a b, B c,  -, http://first-b:1
			a b, C,    -, http://second-c:1
			A,   B,    b, http://second-b:1
			A b, b c,  b, http://first-b:1
			A b, b c,  c, http://second-c:1
			-,   A,    -, http://second-a:1
			A,   -,    -, http://first-a:1
			'',  A,    -, http://second-a:1
			A,   '',   -, http://first-a:1
			""")
	void firstFileThatSetsAValueShouldCount(@Nullable String first, @Nullable String second, @Nullable String context,
			String server) throws IOException {
		String variable = Stream.of(file("first", first), file("second", second))
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
		this.runner.withPropertyValues("KUBECONFIG=" + variable)
			.withPropertyValues((context != null) ? "kubernetes.client.context=" + context : "x=y")
			.run((application) -> assertThat(application.getBean(ApiClient.class).getBasePath()).isEqualTo(server));
	}

	@Test
	void emptyEntriesAndRepeatedFilesShouldBeNoMatter() throws IOException {
		Path file = file("first", "A");
		this.runner.withPropertyValues("KUBECONFIG=:: %1$s ::%1$s:".replace(":", File.pathSeparator).formatted(file))
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath()).isEqualTo("http://first-a:1"));
	}

	@Test
	void userAndClusterShouldBeTakenAsAWholeFromTheFirstFile() throws IOException {
		Path first = write("first", """
				current-context: one
				users: [ { name: me, user: { token: of-first } } ]
				""");
		Path second = write("second", """
				current-context: two
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "https://localhost:1" } } ]
				users: [ { name: me, user: { tokenFile: missing, as: nobody } } ]
				""");
		run(first, second).run((context) -> {
			Request sent = SentRequest.of(context.getBean(ApiClient.class));
			assertThat(sent.header("Authorization")).isEqualTo("Bearer of-first");
			assertThat(sent.header("Impersonate-User")).isNull();
		});
	}

	@Test
	void relativePathsShouldBeThoseOfTheFolderOfTheirFile() throws IOException {
		Files.createDirectories(this.directory.resolve("one"));
		Files.createDirectories(this.directory.resolve("two"));
		write("token", "wrong");
		write("one/token", "wrong");
		write("two/token", "of-two");
		Path first = write("one/config", """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "https://localhost:1" } } ]
				""");
		Path second = write("two/config", "users: [ { name: me, user: { tokenFile: token } } ]");
		run(first, second).run((context) -> assertThat(SentRequest.authorization(context.getBean(ApiClient.class)))
			.isEqualTo("Bearer of-two"));
	}

	@Test
	void fileThatIsNoKubeconfigShouldBeNamedAlone() throws IOException {
		Path first = file("first", "A");
		Path second = write("second", "s3cret: [");
		run(first, second).run((context) -> assertThat(failure(context))
			.hasMessageStartingWith("The kubeconfig '%s' (from the environment variable", second)
			.hasMessageContaining("YAML")
			.hasMessageNotContainingAny("s3cret", "first"));
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void folderShouldBeNamed() throws IOException {
		Path first = file("first", "A");
		run(first, this.directory).run(
				(context) -> assertThat(failure(context)).hasMessageStartingWith("The kubeconfig '%s' ", this.directory)
					.hasMessageContaining("is a directory"));
	}

	@Test
	void contextThatNoFileHasShouldBeSaidOfAllFiles() throws IOException {
		Path first = file("first", "A");
		Path second = file("second", "b");
		this.runner
			.withPropertyValues("KUBECONFIG=%s%s%s".formatted(first, File.pathSeparator, second),
					"kubernetes.client.context=c")
			.run((context) -> {
				InformerConfigurationException failure = failure(context);
				assertThat(failure).hasMessageContaining("%s%s%s", first, File.pathSeparator, second)
					.hasMessageContaining("has no context 'c'; there are: 'a', 'b'");
				assertThat(failure.getAction()).contains("KUBECONFIG=%s".formatted(first));
			});
	}

	private static InformerConfigurationException failure(AssertableApplicationContext context) {
		Throwable thrown = assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> context.getBean(ApiClient.class))
			.actual();
		while (thrown.getCause() != null) {
			thrown = thrown.getCause();
		}
		return (InformerConfigurationException) thrown;
	}

	private ApplicationContextRunner run(Path... files) {
		return this.runner.withPropertyValues(
				"KUBECONFIG=" + Stream.of(files).map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
	}

	private Path file(String name, @Nullable String letters) throws IOException {
		if (letters == null) {
			return this.directory.resolve(name);
		}
		List<String> clusters = new ArrayList<>();
		List<String> contexts = new ArrayList<>();
		List<String> users = new ArrayList<>();
		String current = "";
		for (String letter : letters.isEmpty() ? new String[0] : letters.split(" ")) {
			String lower = letter.toLowerCase();
			current = letter.equals(lower) ? current : "current-context: " + lower;
			String file = name.substring(name.indexOf('/') + 1);
			clusters.add("{ name: %1$s, cluster: { server: \"http://%2$s-%1$s:1\" } }".formatted(lower, file));
			contexts.add("{ name: %1$s, context: { cluster: %1$s, user: %1$s } }".formatted(lower));
			users.add("{ name: %1$s, user: { token: \"%2$s-%1$s\" } }".formatted(lower, file));
		}
		return write(name, letters.isEmpty() ? ""
				: "%s\nclusters: %s\ncontexts: %s\nusers: %s\n".formatted(current, clusters, contexts, users));
	}

	private Path write(String name, String content) throws IOException {
		return Files.writeString(this.directory.resolve(name), content);
	}

}
