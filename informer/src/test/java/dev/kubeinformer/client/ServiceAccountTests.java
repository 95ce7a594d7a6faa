package dev.kubeinformer.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the service account of a pod.
 */
class ServiceAccountTests {

	private final Map<String, String> variables = new HashMap<>();

	@TempDir
	private Path directory;

	@BeforeEach
	void mount() throws IOException {
		this.variables.put("KUBERNETES_SERVICE_HOST", "10.96.0.1");
		this.variables.put("KUBERNETES_SERVICE_PORT", "443");
		Files.writeString(this.directory.resolve("token"), "of-pod\n");
		Files.writeString(this.directory.resolve("namespace"), "web\n");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Files.writeString(this.directory.resolve("ca.crt"), kubernetes.caCertificate());
		}
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			10.96.0.1,       443,   https://10.96.0.1:443
			fd00::1,         443,   https://[fd00::1]:443
			'[fd00::1]',     6443,  https://[fd00::1]:6443
			kubernetes.local, 65535, https://kubernetes.local:65535
			' 10.96.0.1 ',   ' 443 ', https://10.96.0.1:443
			""")
	void addressIsThatOfTheVariables(String host, String port, String url) {
		this.variables.put("KUBERNETES_SERVICE_HOST", host);
		this.variables.put("KUBERNETES_SERVICE_PORT", port);
		try (ManagedApiClient client = builder().build()) {
			assertThat(client.getBasePath()).isEqualTo(url);
			assertThat(client.description().origin()).isEqualTo("service account");
			assertThat(client.description().namespace()).isEqualTo("web");
			assertThat(client.credential()).satisfies((credential) -> {
				assertThat(credential.source()).contains(this.directory.resolve("token").toString());
				assertThat(credential.inHeader()).isTrue();
				assertThat(credential.toString()).doesNotContain("of-pod");
			});
		}
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			KUBERNETES_SERVICE_PORT, tcp://10.96.0.1:443, is 'tcp://10.96.0.1:443'
			KUBERNETES_SERVICE_PORT, 0,                   is '0'
			KUBERNETES_SERVICE_PORT, 65536,               is '65536'
			KUBERNETES_SERVICE_PORT, -,                   is not set
			KUBERNETES_SERVICE_PORT, ' ',                 is not set
			KUBERNETES_SERVICE_HOST, -,                   is not set
			KUBERNETES_SERVICE_HOST, https://10.96.0.1,   is 'https://10.96.0.1'
			KUBERNETES_SERVICE_HOST, a b,                 is 'a b'
			""")
	void variableThatIsWrongIsNamed(String variable, @Nullable String value, String problem) {
		if (value != null) {
			this.variables.put(variable, value);
		}
		else {
			this.variables.remove(variable);
		}
		assertFails("The environment variable '%s' %s".formatted(variable, problem));
	}

	@Test
	void missingTokenIsNamed() throws IOException {
		Files.delete(this.directory.resolve("token"));
		assertFails(
				"The service account '%s' has no file '%s'".formatted(this.directory, this.directory.resolve("token")));
	}

	@Test
	void emptyTokenIsNamed() throws IOException {
		Files.writeString(this.directory.resolve("token"), " \n");
		assertFails("The service account '%s', field 'tokenFile', names the file '%s'".formatted(this.directory,
				this.directory.resolve("token")));
	}

	@Test
	void missingAuthorityIsNamedUnlessAnotherOneIsSet() throws IOException {
		String authority = Files.readString(this.directory.resolve("ca.crt"));
		Files.delete(this.directory.resolve("ca.crt"));
		assertFails("has no file '%s' with the certificate authority".formatted(this.directory.resolve("ca.crt")));
		builder().certificateAuthority(authority).build().close();
	}

	@Test
	void missingNamespaceIsNoProblemForAClient() throws IOException {
		Files.delete(this.directory.resolve("namespace"));
		try (ManagedApiClient client = builder().build()) {
			assertThat(client.description().namespace()).isNull();
		}
	}

	private ManagedApiClient.Builder builder() {
		return Clients.inCluster(new ClientEnvironment(this.variables::get, this.directory, this.directory));
	}

	private void assertFails(String message) {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> builder().build())
			.withMessageStartingWith(message.startsWith("The") ? message : "The service account")
			.withMessageContaining(message)
			.withNoCause();
	}

}
