package dev.kubeinformer.internal.client.kubeconfig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Users and clusters that kubectl 1.36 refuses, and those that it uses. Those with a mark
 * are used if the server has no HTTPS, because their credentials are not sent.
 */
class UserRulesTests {

	@TempDir
	private Path folder;

	@BeforeEach
	void writeFiles() throws IOException {
		for (String name : new String[] { "crt", "key", "token", "ca" }) {
			Files.writeString(this.folder.resolve(name), "content");
		}
		Files.createDirectories(this.folder.resolve("sub"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					'token: a, username: b'                                 |   | token | is set together with 'username' or 'password', but only one can be used
					'token: a, password: b'                                 |   | token | is set together with 'username' or 'password', but only one can be used
					'tokenFile: token, username: b, password: b'            | * | tokenFile | is set together with 'username', but only one can be used
					'token: "a\\n"'                                         | * | token | ends with a line break
					'token: "a\\nb"'                                        | * | token | has characters that an HTTP header cannot contain
					'token: ä'                                              | * | token | has characters that an HTTP header cannot contain
					'tokenFile: missing'                                    | * | tokenFile | names the file '{folder}/missing', which does not exist
					'tokenFile: sub'                                        | * | tokenFile | names the file '{folder}/sub', which is a directory
					'tokenFile: " "'                                        | * | tokenFile | names the file '{folder}/ ', which does not exist
					'client-certificate: crt, client-certificate-data: YQ==, client-key: key' | | client-certificate | is set together with 'client-certificate-data', but only one can be used
					'client-certificate: crt, client-key-data: YQ==, client-key: key' | | client-key | is set together with 'client-key-data', but only one can be used
					'token: a, client-certificate: crt'                     |   | client-key | is missing, but the client certificate needs its key
					'client-certificate-data: YQ=='                         |   | client-key | is missing, but the client certificate needs its key
					'client-certificate-data: YQ==, client-key: "", client-key-data: ""' | | client-key | is missing, but the client certificate needs its key
					'client-certificate: missing, client-key: key'          |   | client-certificate | names the file '{folder}/missing', which does not exist
					'client-certificate: crt, client-key: missing'          |   | client-key | names the file '{folder}/missing', which does not exist
					'client-certificate: sub, client-key: key'              |   | client-certificate | names the file '{folder}/sub', which is a directory
					'exec: {}'                                              |   | exec.command | is missing
					'exec: { command: x, interactiveMode: Never }'          |   | exec.apiVersion | is missing
					'exec: { V1, command: "", interactiveMode: Never }'     |   | exec.command | is missing
					'exec: { V1, command: x }'                              |   | exec.interactiveMode | is missing, but this 'exec.apiVersion' needs it
					'exec: { V1, command: x, interactiveMode: never }'      |   | exec.interactiveMode | is 'never'
					'exec: { V1beta1, command: x, interactiveMode: x }'     |   | exec.interactiveMode | is 'x'
					'exec: { V1, command: x, interactiveMode: Never, env: [ { name: a }, { value: b } ] }' | | exec.env[1].name | is missing
					'token: a, exec: { V1alpha1, command: x }'              | * | exec.apiVersion | is 'client.authentication.k8s.io/v1alpha1', which kubectl does not support since 1.24
					'exec: { V2, command: x, interactiveMode: Never }'      | * | exec.apiVersion | is 'client.authentication.k8s.io/v2', which is not supported
					'exec: { V1, command: x, interactiveMode: Never }, auth-provider: { name: oidc }' | | exec | is set together with 'auth-provider', but only one can be used
					'token: a, auth-provider: { name: gcp }'                | * | auth-provider | is 'gcp', which kubectl does not support since 1.26
					'auth-provider: { name: azure }'                        | * | auth-provider | is 'azure', which kubectl does not support since 1.26
					'auth-provider: { name: openstack }'                    | * | auth-provider | is 'openstack', which is not supported
					'auth-provider: {}'                                     | * | auth-provider | is '', which is not supported
					'auth-provider: { name: oidc }'                         | * | auth-provider.config.idp-issuer-url | is missing
					'auth-provider: { name: oidc, config: { idp-issuer-url: x } }' | * | auth-provider.config.client-id | is missing
					'token: a, as-groups: [ b ]'                            |   | as-groups | is set without 'as', which it needs
					'token: a, as-uid: b'                                   |   | as-uid | is set without 'as', which it needs
					'token: a, as-user-extra: { b: [ c ] }'                 |   | as-user-extra | is set without 'as', which it needs
					'token: a, as: " ", as-groups: [ b ]'                   |   | as-groups | is set without 'as', which it needs
					'token: a, as: "b\\nc"'                                 |   | as | has characters that an HTTP header cannot contain
					'token: a, as: b, as-groups: [ "b\\n" ]'                |   | as-groups | ends with a line break
					""")
	void userShouldBeRefused(String user, String onlyEncrypted, String field, String problem) throws IOException {
		String yaml = user.replaceAll("V(\\d)", "apiVersion: client.authentication.k8s.io/v$1");
		assertRefused(KubeconfigText.ofUser(yaml), "user 'me', field '%s', %s".formatted(field, problem));
		String plain = KubeconfigText.of("server: 'http://host'", yaml);
		if (onlyEncrypted == null) {
			assertRefused(plain, "user 'me', field '%s', %s".formatted(field, problem));
		}
		else {
			assertThat(read(plain).user()).isEqualTo(ClusterAccess.User.anonymous());
		}
	}

	private void assertRefused(String yaml, String problem) {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> read(yaml))
			.withMessage("The kubeconfig '%s' (from the test), %s".formatted(this.folder.resolve("config"),
					problem.replace("{folder}", this.folder.toString())))
			.withNoCause()
			.satisfies((failure) -> assertThat(failure.getAction()).isNotEmpty());
	}

	private ClusterAccess read(String yaml) throws IOException {
		Path file = Files.writeString(this.folder.resolve("config"), yaml);
		return Kubeconfigs.read(new KubeconfigRequest(List.of(file), "the test", null, "the option", false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "token: a, tokenFile: missing", "tokenFile: token, password: b",
			"token: a, client-key: missing", "token: a, client-key-data: YQ==", "token: ' a '",
			"client-certificate: crt, client-key-data: YQ==", "client-certificate-data: YQ==, client-key: key",
			"username: a, password: b", "token: a, exec: ~", "token: a, auth-provider: ~",
			"token: a, as-groups: [], as-user-extra: {}", "token: a, as: jürgen",
			"token: a, client-certificate: ' ', client-certificate-data: ' '", "exec: { V1beta1, command: x }",
			"exec: { V1, command: x, interactiveMode: IfAvailable }",
			"token: a, exec: { V1, command: x, interactiveMode: Always }",
			"auth-provider: { name: OIDC, config: { idp-issuer-url: x, client-id: x } }" })
	void userShouldBeUsed(String user) throws IOException {
		String yaml = user.replaceAll("V(\\d)", "apiVersion: client.authentication.k8s.io/v$1");
		assertThat(read(KubeconfigText.ofUser(yaml)).user()).isNotEqualTo(ClusterAccess.User.anonymous());
	}

	@Test
	void mendOfWhatKubectlNoLongerSupportsShouldNameThePlugin() {
		assertThat(action("auth-provider: { name: gcp }")).contains("gke-gcloud-auth-plugin");
		assertThat(action("auth-provider: { name: azure }")).contains("kubelogin");
		assertThat(action("exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: aws }"))
			.contains("'aws'", "client.authentication.k8s.io/v1beta1");
		assertThat(action("token: |\n  a\n".replace("|\n  a\n", "\"a\\n\""))).contains("|-");
	}

	private String action(String user) {
		return String.valueOf(assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> read(KubeconfigText.ofUser(user)))
			.actual()
			.getAction());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					''                                                      |   | server | is missing
					'server: ""'                                            |   | server | is missing
					'server: " "'                                           |   | server | is missing
					'server: "https:// host"'                               |   | server | is not a URL: its host has a space
					'URL, certificate-authority: ca, certificate-authority-data: YQ==' | | certificate-authority | is set together with 'certificate-authority-data', but only one can be used
					'URL, certificate-authority: missing'                   |   | certificate-authority | names the file '{folder}/missing', which does not exist
					'URL, certificate-authority: sub'                       |   | certificate-authority | names the file '{folder}/sub', which is a directory
					'URL, certificate-authority: ca, insecure-skip-tls-verify: true' | * | insecure-skip-tls-verify | is true together with 'certificate-authority', which would not be used
					'URL, certificate-authority-data: YQ==, insecure-skip-tls-verify: true' | * | insecure-skip-tls-verify | is true together with 'certificate-authority-data', which would not be used
					""")
	void clusterShouldBeRefused(String cluster, String onlyEncrypted, String field, String problem) throws IOException {
		assertRefused(KubeconfigText.ofCluster(cluster.replace("URL", KubeconfigText.CLUSTER)),
				"cluster 'west', field '%s', %s".formatted(field, problem));
		String plain = KubeconfigText.ofCluster(cluster.replace("URL", "server: 'http://host'"));
		if (onlyEncrypted == null) {
			assertRefused(plain, "cluster 'west', field '%s', %s".formatted(field, problem));
		}
		else {
			assertThat(read(plain).server())
				.isEqualTo(new ClusterAccess.Server("http://host", null, false, null, null));
		}
	}

	@Test
	void fileThatMayNotBeReadShouldBeRefused() throws IOException {
		Path file = this.folder.resolve("ca");
		assumeTrue(file.toFile().setReadable(false) && !Files.isReadable(file));
		assertRefused(KubeconfigText.ofCluster(KubeconfigText.CLUSTER + ", certificate-authority: ca"),
				"cluster 'west', field 'certificate-authority', names the file '{folder}/ca', which this process may not read");
	}

}
