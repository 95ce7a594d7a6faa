package dev.kubeinformer.internal.client.kubeconfig;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Files, merges and contexts as kubectl 1.36 has them.
 */
class KubeconfigsTests {

	@TempDir
	private Path folder;

	/**
	 * The files hold the letters' clusters, contexts and users; a capital one is current.
	 * The server of a cluster has the name of its file and of the cluster.
	 */
	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			a B, b C,  -, https://first-b
			a b, B c,  -, https://first-b
			a b, C,    -, https://second-c
			A,   B,    b, https://second-b
			A b, b c,  b, https://first-b
			A b, b c,  c, https://second-c
			A b, b c,  ' c ', https://second-c
			A b, b c,  ' ', https://first-a
			-,   A,    -, https://second-a
			A,   -,    -, https://first-a
			'',  A,    -, https://second-a
			A,   '',   -, https://first-a
			A,   A,    -, https://first-a
			""")
	void firstFileThatSetsAValueShouldCount(@Nullable String first, @Nullable String second, @Nullable String context,
			String server) throws IOException {
		ClusterAccess access = read(context, file("first", first), file("second", second));
		assertThat(access.server().url()).isEqualTo(server);
		assertThat(access.user().token()).isEqualTo(server.substring("https://".length()));
	}

	private static ClusterAccess read(@Nullable String context, Path... files) {
		return Kubeconfigs.read(new KubeconfigRequest(List.of(files), "the variable 'KUBECONFIG'", context,
				"the property 'x.context'", false));
	}

	private Path file(String name, @Nullable String letters) throws IOException {
		if (letters == null) {
			return this.folder.resolve(name);
		}
		StringBuilder yaml = new StringBuilder();
		List<String> names = Stream.of(letters.split(" ")).filter((letter) -> !letter.isEmpty()).toList();
		names.stream()
			.filter((letter) -> Character.isUpperCase(letter.charAt(0)))
			.forEach((letter) -> yaml.append("current-context: ").append(letter.toLowerCase()).append('\n'));
		append(yaml, "contexts", names, "{ name: %1$s, context: { cluster: %1$s, user: %1$s } }", name);
		append(yaml, "clusters", names, "{ name: %1$s, cluster: { server: 'https://%2$s-%1$s' } }", name);
		append(yaml, "users", names, "{ name: %1$s, user: { token: '%2$s-%1$s' } }", name);
		return write(name, yaml.toString());
	}

	private static void append(StringBuilder yaml, String list, List<String> names, String entry, String file) {
		if (!names.isEmpty()) {
			yaml.append("%s: %s\n".formatted(list,
					names.stream().map((name) -> entry.formatted(name.toLowerCase(), file)).toList()));
		}
	}

	private Path write(String name, String yaml) throws IOException {
		Path file = this.folder.resolve(name);
		Files.createDirectories(file.getParent());
		return Files.writeString(file, yaml);
	}

	@Test
	void entryShouldBeTakenAsAWholeFromTheFirstFile() throws IOException {
		Path first = write("first", """
				current-context: one
				users: [ { name: me, user: { token: of-first } } ]
				""");
		Path second = write("second", """
				current-context: two
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "https://host" } } ]
				users: [ { name: me, user: { tokenFile: missing, as: nobody } } ]
				""");
		ClusterAccess.User user = read(null, first, second).user();
		assertThat(user.token()).isEqualTo("of-first");
		assertThat(user.tokenFile()).isNull();
		assertThat(user.impersonation()).isEqualTo(ClusterAccess.Impersonation.none());
		Path empty = write("empty", "users: [ { name: me } ]");
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(null, empty, first, second))
			.withMessageEndingWith("user 'me' has no credentials");
	}

	@Test
	void userWithoutCredentialsShouldBeRefusedUnlessTheyComeFromElsewhere() throws IOException {
		Path file = write("config", """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "https://host" } } ]
				users: [ { name: me, user: { as: nobody } } ]
				""");
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(null, file))
			.withMessageEndingWith("user 'me' has no credentials");
		KubeconfigRequest request = new KubeconfigRequest(List.of(file), "the test", null, null, true);
		assertThat(Kubeconfigs.read(request).user().impersonation().user()).isEqualTo("nobody");
	}

	@Test
	void relativePathsShouldBeThoseOfTheFolderOfTheirFile() throws IOException {
		for (String name : List.of("ca.crt", "two/token", "two/me.crt", "two/keys/me.key")) {
			write(name, "content");
		}
		Path first = write("one/config", """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "https://host", certificate-authority: ../ca.crt } } ]
				""");
		Path second = write("two/config",
				"""
						contexts:
						- { name: plugin, context: { cluster: one, user: plugin } }
						- { name: onPath, context: { cluster: one, user: onPath } }
						- { name: absolute, context: { cluster: one, user: absolute } }
						users:
						- { name: me, user: { tokenFile: token, client-certificate: ./me.crt, client-key: keys/me.key } }
						- { name: plugin, user: { exec: { command: bin/../plugin, apiVersion: client.authentication.k8s.io/v1beta1 } } }
						- { name: onPath, user: { exec: { command: plugin, apiVersion: client.authentication.k8s.io/v1beta1 } } }
						- { name: absolute, user: { tokenFile: %s } }
						"""
					.formatted(this.folder.resolve("ca.crt")));
		ClusterAccess access = read(null, first, second);
		Path two = this.folder.resolve("two");
		assertThat(access.server().authority()).isEqualTo(new Content.InFile(
				"The kubeconfig '%s' (from the variable 'KUBECONFIG'), cluster 'one'".formatted(first),
				"certificate-authority", this.folder.resolve("ca.crt")));
		String me = "The kubeconfig '%s' (from the variable 'KUBECONFIG'), user 'me'".formatted(second);
		assertThat(access.user().tokenFile()).isEqualTo(two.resolve("token"));
		assertThat(access.user().certificate())
			.isEqualTo(new Content.InFile(me, "client-certificate", two.resolve("me.crt")));
		assertThat(access.user().key()).isEqualTo(new Content.InFile(me, "client-key", two.resolve("keys/me.key")));
		assertThat(read("plugin", first, second).user().plugin()).extracting(ClusterAccess.Plugin::command)
			.isEqualTo(two.resolve("plugin").toString());
		assertThat(read("onPath", first, second).user().plugin()).extracting(ClusterAccess.Plugin::command)
			.isEqualTo("plugin");
		assertThat(read("absolute", first, second).user().tokenFile()).isEqualTo(this.folder.resolve("ca.crt"));
	}

	@Test
	void relativePathOfTheFileItselfShouldBeThatOfTheWorkingDirectory() throws IOException {
		Path file = write("config", KubeconfigText.ofUser("token: abc, tokenFile: token"));
		Path relative = Path.of("").toAbsolutePath().relativize(file);
		assertThat(read(null, relative).user().tokenFile()).isEqualTo(this.folder.resolve("token"));
	}

	@Test
	void fileThatCannotBeReadShouldBeNamedAlone() throws IOException {
		Path good = file("first", "A");
		assertRefused(write("bad", "s3cret: ["), "is not valid YAML (line 1, column 10)", good);
		assertRefused(write("type", "users: s3cret"), null, good);
		assertRefused(Files.createDirectories(this.folder.resolve("sub")), "is a directory", good);
		assertRefused(Files.write(this.folder.resolve("binary"), new byte[] { (byte) 0xff, 1, 2 }),
				"is not a text in UTF-8", good);
		assertRefused(Files.writeString(this.folder.resolve("large"), "x".repeat((4 << 20) + 1)),
				"is larger than 4 MiB", good);
	}

	private void assertRefused(Path file, @Nullable String problem, Path good) {
		for (Path[] files : List.of(new Path[] { file, good }, new Path[] { good, file }, new Path[] { file })) {
			assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(null, files))
				.withMessageStartingWith("The kubeconfig '%s' (from the variable 'KUBECONFIG')%s".formatted(file,
						(problem != null) ? " " + problem : ""))
				.withMessageNotContainingAny("s3cret", good.toString())
				.withNoCause();
		}
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void fileBelowAFileShouldBeRefusedAndADanglingLinkIsMissing() throws IOException {
		Path good = file("first", "A");
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> read(null, good.resolve("x"), good))
			.withMessageStartingWith("The kubeconfig '%s' (from the variable 'KUBECONFIG') cannot be read (",
					good.resolve("x"));
		Path link = Files.createSymbolicLink(this.folder.resolve("link"), this.folder.resolve("missing"));
		assertThat(read(null, link, good).server().url()).isEqualTo("https://first-a");
	}

	@Test
	void fileThatMayNotBeReadShouldBeRefused() throws IOException {
		Path file = file("first", "A");
		assumeTrue(file.toFile().setReadable(false) && !Files.isReadable(file));
		assertRefused(file, "may not be read by this process", this.folder.resolve("missing"));
	}

	@Test
	void filesThatDoNotExistShouldBeNamed() {
		Path one = this.folder.resolve("one");
		Path two = this.folder.resolve("two");
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(null, one))
			.withMessage("The kubeconfig '%s' (from the variable 'KUBECONFIG') does not exist", one);
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(null, one, two))
			.withMessage("The kubeconfig '%s%s%s' (from the variable 'KUBECONFIG') does not exist", one,
					File.pathSeparator, two);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "  \n", "# nothing", "---\n---\nusers: s3cret", "kind: Config", "clusters: []\nusers:" })
	void emptyFileShouldBeRefused(String yaml) throws IOException {
		Path file = write("config", yaml);
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(null, file))
			.withMessage(
					"The kubeconfig '%s' (from the variable 'KUBECONFIG') is empty: it has no clusters, users and contexts",
					file);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					''                         | - | ' has no current context; there are: ''a'', ''b''' | 'Set the property ''x.context'' to one of them, or run ''kubectl config use-context''.'
					'current-context: " "'     | - | ', field ''current-context'', names the context '' '', which does not exist; there are: ''a'', ''b''' | 'Correct the name, or set the property ''x.context''.'
					'current-context: c'       | - | ', field ''current-context'', names the context ''c'', which does not exist; there are: ''a'', ''b''' | 'Correct the name, or set the property ''x.context''.'
					'current-context: a'       | c | ' has no context ''c''; there are: ''a'', ''b''' | 'Correct the name, or set the property ''x.context''.'
					'current-context: a'       | - | ', context ''a'', field ''cluster'', names the cluster ''west'', which does not exist; there are: ''east''' | 'Name a cluster of the kubeconfig.'
					'current-context: a'       | b | ', context ''b'', field ''user'', names the user ''nobody'', which does not exist; there are: ''me'', ''you''' | 'Name a user of the kubeconfig.'
					""")
	void contextThatCannotBeResolvedShouldBeRefused(String current, @Nullable String context, String problem,
			String action) throws IOException {
		Path file = write("config", current + """

				contexts:
				- { name: a, context: { cluster: west, user: me } }
				- { name: b, context: { cluster: east, user: nobody } }
				clusters: [ { name: east, cluster: { server: "https://host" } } ]
				users: [ { name: me }, { name: you } ]
				""");
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(context, file))
			.withMessage("The kubeconfig '%s' (from the variable 'KUBECONFIG')%s".formatted(file, problem))
			.satisfies((failure) -> assertThat(failure.getAction()).isEqualTo(action));
	}

	@Test
	void contextThatNoFileHasShouldBeSaidOfAllFiles() throws IOException {
		Path first = file("first", "A");
		Path missing = this.folder.resolve("missing");
		Path second = file("second", "b");
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> read("c", first, missing, second))
			.withMessage(
					"The kubeconfig '%s%s%s' (from the variable 'KUBECONFIG') has no context 'c'; there are: 'a', 'b'",
					first, File.pathSeparator, second);
	}

	@Test
	void manyContextsShouldNotAllBeListed() throws IOException {
		StringBuilder names = new StringBuilder();
		for (int i = 0; i < 30; i++) {
			names.append(" c").append(i);
		}
		Path file = file("config", names.toString().strip());
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(null, file))
			.withMessageEndingWith("'c18', 'c19' and 10 more");
	}

	@Test
	void entriesWithoutANameShouldBeThoseWithoutAContext() {
		String yaml = "clusters: [ { cluster: { server: 'https://host' } } ]\nusers: [ { user: { token: abc } } ]";
		ClusterAccess access = Kubeconfigs.parse(yaml, "The text");
		assertThat(access.server().url()).isEqualTo("https://host");
		assertThat(access.user().token()).isEqualTo("abc");
		assertThat(access.origin()).isEqualTo("text");
	}

	@Test
	void contextWithoutAUserShouldBeAnonymous() {
		for (String user : List.of("", ", user: ''", ", user: ' '", ", user: ~")) {
			assertThat(Kubeconfigs.parse("""
					current-context: a
					contexts: [ { name: a, context: { cluster: a, namespace: ' ' %s } } ]
					clusters: [ { name: a, cluster: { server: "https://host" } } ]
					""".formatted(user), "The text")).satisfies((access) -> {
				assertThat(access.user()).isEqualTo(ClusterAccess.User.anonymous());
				assertThat(access.namespace()).isNull();
			});
		}
	}

	@Test
	void everythingShouldBeCarried() throws IOException {
		Path file = write("config",
				"""
						current-context: here
						contexts: [ { name: here, context: { cluster: west, user: me, namespace: web } } ]
						clusters:
						- name: west
						  cluster:
						    server: https://host:6443/prefix/
						    tls-server-name: name
						    proxy-url: socks5://me:s3cret@proxy:1080
						    certificate-authority-data: czNjcmV0
						    disable-compression: true
						    extensions:
						    - { name: other, extension: 1 }
						    - { name: client.authentication.k8s.io/exec, extension: { audience: a, list: [ 1, x ] } }
						users:
						- name: me
						  user:
						    token: s3cret
						    client-certificate-data: czNjcmV0
						    client-key-data: czNjcmV0
						    as: bob
						    as-uid: "7"
						    as-groups: [ one, two ]
						    as-user-extra: { scopes: [ a, b ] }
						    exec:
						      apiVersion: client.authentication.k8s.io/v1
						      command: plugin
						      args: [ get, s3cret ]
						      env: [ { name: A, value: s3cret }, { name: B, value: "" }, { name: A, value: last }, { name: C=x, value: z } ]
						      provideClusterInfo: true
						      interactiveMode: IfAvailable
						      installHint: "\\e[1mgo\\nget it"
						""");
		ClusterAccess access = read(null, file);
		String place = "The kubeconfig '%s' (from the variable 'KUBECONFIG')".formatted(file);
		assertThat(access.place()).isEqualTo(place);
		assertThat(access.origin()).isEqualTo("kubeconfig '%s', context 'here'", file);
		assertThat(access.namespace()).isEqualTo("web");
		assertThat(access.server()).isEqualTo(new ClusterAccess.Server("https://host:6443/prefix", "name", false,
				new Content.Inline(place + ", cluster 'west'", "certificate-authority-data", "s3cret"),
				"socks5://me:s3cret@proxy:1080"));
		ClusterAccess.User user = access.user();
		String me = place + ", user 'me'";
		assertThat(user).isEqualTo(
				new ClusterAccess.User("s3cret", null, new Content.Inline(me, "client-certificate-data", "s3cret"),
						new Content.Inline(me, "client-key-data", "s3cret"), null,
						new ClusterAccess.Plugin("client.authentication.k8s.io/v1", "plugin", List.of("get", "s3cret"),
								Map.of("A", "last", "B", "", "C", "x=z"), true, "IfAvailable", "U+001B[1mgo\nget it",
								Map.of("audience", "a", "list", List.of(1L, "x"))),
						null, new ClusterAccess.Impersonation("bob", List.of("one", "two"), "7",
								Map.of("scopes", List.of("a", "b")))));
		assertThat(user.plugin()).asString().doesNotContain("s3cret");
	}

	@Test
	void providerShouldBeCarried() {
		ClusterAccess.Provider provider = Kubeconfigs
			.parse(KubeconfigText
				.ofUser("auth-provider: { name: oidc, config: { idp-issuer-url: u, client-id: c, id-token: t } }"), "X")
			.user()
			.provider();
		assertThat(provider).isEqualTo(new ClusterAccess.Provider("oidc",
				Map.of("idp-issuer-url", "u", "client-id", "c", "id-token", "t"), null));
	}

	@Test
	void credentialsShouldNotBeSentWithoutHttps() {
		ClusterAccess access = Kubeconfigs.parse(KubeconfigText.of(
				"server: 'host:8080', tls-server-name: x, insecure-skip-tls-verify: true, proxy-url: 'http://proxy'",
				"token: s3cret, client-certificate-data: YQ==, client-key-data: YQ==, as: bob"), "The kubeconfig");
		assertThat(access.server())
			.isEqualTo(new ClusterAccess.Server("http://host:8080", null, false, null, "http://proxy"));
		assertThat(access.user()).isEqualTo(new ClusterAccess.User(null, null, null, null, null, null, null,
				new ClusterAccess.Impersonation("bob", List.of(), null, Map.of())));
		assertThat(access.origin())
			.isEqualTo("kubeconfig, context 'here', without its credentials because the URL is not HTTPS");
	}

	@Test
	void userOfTheUrlShouldCountBeforeTokensAndPlugins() {
		ClusterAccess.User user = Kubeconfigs.parse(KubeconfigText.of("server: 'https://a:b@host'",
				"token: s3cret, client-certificate-data: YQ==, client-key-data: YQ==, exec: { command: x, "
						+ "apiVersion: client.authentication.k8s.io/v1beta1 }"),
				"The kubeconfig")
			.user();
		assertThat(user.basic()).isEqualTo(new ClusterAccess.Basic("a", "b"));
		assertThat(user.token()).isNull();
		assertThat(user.plugin()).isNull();
		assertThat(user.certificate()).isNotNull();
	}

	@Test
	void namesOfTheFileShouldNotForgeALineOfTheLog() {
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> Kubeconfigs.parse("current-context: \"a\\nb\"\ncontexts: [ { name: \"c\\nd\" } ]", "X"))
			.withMessage(
					"X, field 'current-context', names the context 'a\\nb', which does not exist; there are: 'c\\nd'");
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> Kubeconfigs
				.parse(KubeconfigText.ofUser("auth-provider: { name: oidc, config: { \"a\\nb\": 1 } }"), "X"))
			.withMessageContaining("field 'auth-provider.config.a\\nb'");
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> Kubeconfigs.parse(KubeconfigText.ofUser("tokenFile: \"/missing\\nb\""), "X"))
			.withMessageContaining("'/missing\\nb'");
	}

	@Test
	void textShouldBeParsedWithItsPlaceAndItsPaths() {
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> Kubeconfigs.parse("s3cret: [", "The kubeconfig of the container 'k3s'"))
			.withMessage("The kubeconfig of the container 'k3s' is not valid YAML (line 1, column 10)");
		ClusterAccess access = Kubeconfigs.parse(KubeconfigText.ofUser("token: a, tokenFile: x/../y"),
				"The kubeconfig of the container 'k3s'");
		assertThat(access.user().tokenFile()).isEqualTo(Path.of("x/../y"));
		assertThat(access.place()).isEqualTo("The kubeconfig of the container 'k3s'");
		assertThat(access.origin()).isEqualTo("kubeconfig of the container 'k3s', context 'here'");
	}

}
