package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests of the values that are taken from the kubeconfig of a service. */
class KubeconfigDetailsTests {

	@TempDir
	private Path directory;

	@Test
	void tokenShouldBeThatOfTheCurrentContextsUser() {
		assertThat(details("token: s3cret").getToken()).isEqualTo("s3cret");
		assertThat(details("token: \"\"").getToken()).isNull();
		assertThat(details("username: admin").getToken()).isNull();
	}

	@Test
	void commandShouldNotBeRun() {
		Path trace = this.directory.resolve("trace");
		KubeconfigDetails details = details(
				"exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: touch, args: [ '%s' ] }"
					.formatted(trace));
		assertThat(details.getToken()).isNull();
		assertThat(details.getClientCertificate()).isNull();
		assertThat(trace).doesNotExist();
	}

	@Test
	void fileOfATokenShouldNotBeRead() throws IOException {
		Path file = Files.writeString(this.directory.resolve("token"), "s3cret");
		assertThat(details("tokenFile: '%s'".formatted(file)).getToken()).isNull();
		assertThat(details(
				"auth-provider: { name: oidc, config: { id-token: s3cret, idp-issuer-url: https://issuer, client-id: me } }")
			.getToken()).isNull();
	}

	@Test
	void textThatIsNoKubeconfigShouldNotBeQuoted() {
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> new KubeconfigDetails("s3cret: ["))
			.withMessageStartingWith("The kubeconfig of the service ")
			.withMessageNotContaining("s3cret");
	}

	private static KubeconfigDetails details(String user) {
		return new KubeconfigDetails("""
				apiVersion: v1
				kind: Config
				clusters:
				- name: one
				  cluster: { server: "https://127.0.0.1:6443" }
				contexts:
				- name: other
				  context: { cluster: one, user: other }
				- name: one
				  context: { cluster: one, user: admin }
				current-context: one
				users:
				- name: other
				  user: { token: wrong }
				- name: admin
				  user: { %s }
				""".formatted(user));
	}

}
