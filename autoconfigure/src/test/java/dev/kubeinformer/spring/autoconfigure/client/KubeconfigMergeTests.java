package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.KubeConfig;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.spring.InformerContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
				clusters: [ { name: one, cluster: { server: "http://localhost:1" } } ]
				users: [ { name: me, user: { tokenFile: missing, as: nobody } } ]
				""");
		Kubeconfig kubeconfig = read(first, second);
		assertThat(kubeconfig.impersonation().isEmpty()).isTrue();
		assertThat(kubeconfig.client(null).getAuthentication("BearerToken")).hasFieldOrPropertyWithValue("apiKey",
				"of-first");
	}

	@Test
	void relativePathsShouldBeThoseOfTheFolderOfTheirFile() throws IOException {
		Path one = Files.createDirectories(this.directory.resolve("one"));
		Path two = Files.createDirectories(this.directory.resolve("two"));
		Path first = write("one/config", """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "http://localhost:1", certificate-authority: ../ca.crt } } ]
				""");
		Path second = write("two/config", """
				users:
				- { name: me, user: { tokenFile: token, client-certificate: ./me.crt, client-key: /etc/me.key } }
				- { name: plugin, user: { exec: { command: bin/plugin, args: [ a ] } } }
				- { name: onPath, user: { exec: { command: plugin } } }
				""");
		KubeConfig merged = merge(first, second);
		merged.setContext("one");
		assertThat(merged.getCertificateAuthorityFile()).isEqualTo(this.directory.resolve("ca.crt").toString());
		assertThat(merged.getClientCertificateFile()).isEqualTo(two.resolve("me.crt").toString());
		assertThat(merged.getClientKeyFile()).isEqualTo("/etc/me.key");
		assertThat(merged.getUsers().toString()).contains("tokenFile=" + two.resolve("token"))
			.contains("{command=%s, args=[a]}".formatted(two.resolve("bin/plugin")))
			.contains("{command=plugin}")
			.doesNotContain(one.toString());
	}

	@Test
	void tokenThatAnAuthProviderRenewsShouldBeWrittenToTheFileOfItsUserAlone() throws IOException {
		Path first = file("first", "A");
		String untouched = Files.readString(first);
		Path second = write("second", """
				users: [ { name: me, user: { tokenFile: token, auth-provider: { name: x, config: { token: old } } } } ]
				""");
		KubeconfigFile owner = Objects.requireNonNull(KubeconfigFile.read(second, place()));
		Map<String, Object> config = providerConfig(
				KubeconfigFile.merge(List.of(Objects.requireNonNull(KubeconfigFile.read(first, place())), owner)));
		config.put("token", "new");
		owner.save();
		assertThat(first).hasContent(untouched);
		assertThat(Files.readString(second)).contains("token: new", "tokenFile: token")
			.doesNotContain("first", this.directory.toString());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> providerConfig(KubeConfig merged) {
		Map<String, Map<String, Map<String, Object>>> user = (Map<String, Map<String, Map<String, Object>>>) merged
			.getUsers()
			.stream()
			.filter((entry) -> "me".equals(((Map<String, Object>) entry).get("name")))
			.findFirst()
			.orElseThrow();
		return (Map<String, Object>) Objects
			.requireNonNull(Objects.requireNonNull(user.get("user")).get("auth-provider"))
			.get("config");
	}

	@Test
	void fileThatIsNoKubeconfigShouldBeNamedAlone() throws IOException {
		Path first = file("first", "A");
		Path second = write("second", "s3cret: [");
		assertThatExceptionOfType(InvalidKubeconfigException.class).isThrownBy(() -> read(first, second))
			.withMessageStartingWith("The kubeconfig '%s' (from the environment variable".formatted(second))
			.withMessageContaining("is no kubeconfig in YAML")
			.withMessageNotContainingAny("s3cret", "first");
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void folderShouldBeNamed() throws IOException {
		Path first = file("first", "A");
		assertThatExceptionOfType(InvalidKubeconfigException.class).isThrownBy(() -> read(first, this.directory))
			.withMessageStartingWith("The kubeconfig '%s' ".formatted(this.directory));
	}

	@Test
	void contextThatNoFileHasShouldBeSaidOfAllFiles() throws IOException {
		Path first = file("first", "A");
		Path second = file("second", "b");
		this.runner
			.withPropertyValues("KUBECONFIG=%s%s%s".formatted(first, File.pathSeparator, second),
					"kubernetes.client.context=c")
			.run((context) -> {
				InvalidKubeconfigException failure = failure(context);
				assertThat(failure).hasMessageContaining("%s%s%s", first, File.pathSeparator, second)
					.hasMessageContaining("has no context 'c', only ['a', 'b']");
				assertThat(failure.getAction()).contains("KUBECONFIG=%s".formatted(first));
			});
	}

	private static InvalidKubeconfigException failure(AssertableApplicationContext context) {
		Throwable thrown = assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> context.getBean(ApiClient.class))
			.actual();
		while (thrown.getCause() != null) {
			thrown = thrown.getCause();
		}
		return (InvalidKubeconfigException) thrown;
	}

	/**
	 * Adds kubectl's own opinion, where there is a kubectl.
	 */
	@Test
	void mergeShouldBeThatOfKubectl() throws Exception {
		Path kubectl = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.map((folder) -> Path.of(folder, "kubectl"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
		assumeTrue(kubectl != null, "no kubectl on the PATH");
		Files.createDirectories(this.directory.resolve("sub"));
		List<Path> files = List.of(file("first", "a b"), this.directory.resolve("missing"), file("sub/second", "B c"),
				file("third", "C d"));
		String variable = files.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
		ProcessBuilder builder = new ProcessBuilder(String.valueOf(kubectl), "config", "view", "--raw", "-o", "json");
		builder.environment().put("KUBECONFIG", variable);
		builder.redirectError(ProcessBuilder.Redirect.DISCARD);
		Process process = builder.start();
		String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assumeTrue(process.waitFor() == 0, "kubectl does not run here");
		JsonNode theirs = JsonMapper.shared().readTree(text);
		KubeConfig ours = merge(files.toArray(Path[]::new));
		assertThat(ours.getCurrentContext()).isEqualTo(theirs.path("current-context").asString());
		assertThat(texts(ours.getClusters())).isEqualTo(texts(theirs.path("clusters")));
		assertThat(texts(ours.getContexts())).isEqualTo(texts(theirs.path("contexts")));
		assertThat(texts(ours.getUsers())).isEqualTo(texts(theirs.path("users")));
	}

	private static List<String> texts(List<Object> entries) {
		return texts(JsonMapper.shared().valueToTree(entries));
	}

	private static List<String> texts(JsonNode entries) {
		return entries.valueStream().map(JsonNode::toString).sorted().toList();
	}

	private static Kubeconfig read(Path... files) {
		return Kubeconfig.read(List.of(files), place(), null);
	}

	private static KubeconfigPlace place() {
		return new KubeconfigPlace("the environment variable 'KUBECONFIG'", "kubernetes.client");
	}

	private static KubeConfig merge(Path... files) {
		return KubeconfigFile.merge(Stream.of(files)
			.map((file) -> KubeconfigFile.read(file, place()))
			.filter(Objects::nonNull)
			.map(Objects::requireNonNull)
			.toList());
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
