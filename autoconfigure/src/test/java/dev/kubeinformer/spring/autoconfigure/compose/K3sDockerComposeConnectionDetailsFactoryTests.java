package dev.kubeinformer.spring.autoconfigure.compose;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.VersionApi;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.DockerComposeFile;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.core.io.support.SpringFactoriesLoader;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.spring.autoconfigure.client.MutualTlsServer;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of the connection to a K3s service of Docker Compose, with services that are
 * mocks and a TLS server instead of K3s.
 */
class K3sDockerComposeConnectionDetailsFactoryTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private MutualTlsServer server;

	@TempDir
	private Path directory;

	@BeforeEach
	void start() throws IOException {
		this.server = new MutualTlsServer();
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void serverOfTheServiceShouldBeReachedWithTheWrittenCertificates() throws IOException {
		write(this.server);
		KubernetesConnectionDetails details = details("rancher/k3s:v1.36.0-k3s1", label("./out/kubeconfig.yaml"), LONG);
		InformerContextRunner.withoutCluster()
			.withBean(KubernetesConnectionDetails.class, () -> details)
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getBasePath()).isEqualTo(this.server.url());
				assertThat(new VersionApi(client).getCode().execute().getGitVersion()).isEqualTo("v1.36.0");
			});
		assertThat(details.getNamespace()).isEqualTo("default");
		assertThat(details.getToken()).isNull();
		assertThat(this.server.requests()).hasSizeGreaterThan(1).containsOnly("CN=admin TLSv1.3");
	}

	@Test
	void fileOfAnEarlierServerShouldBeWaitedOver() throws Exception {
		try (MutualTlsServer earlier = new MutualTlsServer()) {
			write(earlier);
		}
		CompletableFuture<KubernetesConnectionDetails> details = CompletableFuture
			.supplyAsync(() -> details("rancher/k3s", label("out/kubeconfig.yaml"), LONG));
		// It has looked at the wrong one before the right one comes, or finds that at
		// once: both are well.
		await().during(Duration.ofMillis(300)).until(() -> !details.isDone());
		write(this.server);
		assertThat(details.get().getUrl()).isEqualTo(this.server.url());
	}

	@Test
	void fileThatDoesNotComeShouldBeNamed() {
		assertThatExceptionOfType(InformerConfigurationException.class)
			.isThrownBy(() -> details("rancher/k3s", label("missing.yaml"), Duration.ZERO))
			.withMessage(
					"The kubeconfig '%s' of the service 'k3s' of Docker Compose, at %s, is not usable after 0 s: "
							+ "it cannot be read (NoSuchFileException)",
					this.directory.resolve("missing.yaml"), this.server.url())
			.satisfies((ex) -> assertThat(ex.getAction()).contains("K3S_KUBECONFIG_OUTPUT", "port 6443",
					"'dev.kubeinformer.kubeconfig'"));
	}

	@Test
	void fileThatCannotBeUsedShouldNotBeQuoted() throws IOException {
		Path file = Files.writeString(this.directory.resolve("config"), "s3cret");
		assertThatExceptionOfType(InformerConfigurationException.class)
			.isThrownBy(() -> details("rancher/k3s", label(file.toString()), Duration.ZERO))
			.withMessageContaining("it is not a kubeconfig")
			.withMessageNotContaining("s3cret")
			.withNoCause();
		try (MutualTlsServer other = new MutualTlsServer()) {
			write(other);
		}
		assertThatExceptionOfType(InformerConfigurationException.class)
			.isThrownBy(() -> details("rancher/k3s", label("out/kubeconfig.yaml"), Duration.ZERO))
			.withMessageContaining("the server does not respond (SSL");
	}

	@Test
	void serviceWithoutTheLabelShouldNotLeaveTheApplicationToAnotherCluster() {
		assertThatExceptionOfType(InformerConfigurationException.class)
			.isThrownBy(() -> details("rancher/k3s", Map.of(), LONG))
			.withMessageStartingWith(
					"The service 'k3s' of Docker Compose has no label 'dev.kubeinformer.kubeconfig' with the path ")
			.satisfies((ex) -> assertThat(ex.getAction()).contains("K3S_KUBECONFIG_OUTPUT",
					"'dev.kubeinformer.kubeconfig: ./target/k3s/kubeconfig.yaml'",
					"'org.springframework.boot.ignore: true'"));
	}

	@Test
	void serviceOfAnotherImageShouldBeLeftAlone() {
		assertThat(details("postgres:17", label("out/kubeconfig.yaml"), LONG)).isNull();
	}

	@Test
	void serviceThatIsSaidToBeK3sShouldBeUsed() throws IOException {
		write(this.server);
		assertThat(details("registry.example.com/mirror/k3s", Map.of("dev.kubeinformer.kubeconfig",
				"out/kubeconfig.yaml", "org.springframework.boot.service-connection", "rancher/k3s"), LONG))
			.isNotNull();
	}

	@Test
	void factoryShouldBeFoundBySpring() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ConnectionDetailsFactory.class, SpringFactoriesLoader.FailureHandler.throwing()))
			.hasAtLeastOneElementOfType(K3sDockerComposeConnectionDetailsFactory.class);
	}

	private KubernetesConnectionDetails details(String image, Map<String, String> labels, Duration patience) {
		RunningService service = mock(RunningService.class);
		ConnectionPorts ports = mock(ConnectionPorts.class);
		given(ports.get(6443)).willReturn(URI.create(this.server.url()).getPort());
		given(service.name()).willReturn("k3s");
		given(service.image()).willReturn(ImageReference.of(image));
		given(service.host()).willReturn("127.0.0.1");
		given(service.ports()).willReturn(ports);
		given(service.labels()).willReturn(labels);
		given(service.composeFile()).willReturn(composeFile());
		DockerComposeConnectionSource source = mock(DockerComposeConnectionSource.class);
		given(source.getRunningService()).willReturn(service);
		return new K3sDockerComposeConnectionDetailsFactory(patience).getConnectionDetails(source);
	}

	private DockerComposeFile composeFile() {
		try {
			return DockerComposeFile.of(Files.writeString(this.directory.resolve("compose.yaml"), "").toFile());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Map<String, String> label(String path) {
		return Map.of("dev.kubeinformer.kubeconfig", path);
	}

	private void write(MutualTlsServer server) throws IOException {
		HeldCertificate admin = server.client("admin");
		Files.createDirectories(this.directory.resolve("out"));
		// As K3s writes it: with the port inside of the container.
		Files.writeString(this.directory.resolve("out/kubeconfig.yaml"), """
				apiVersion: v1
				kind: Config
				clusters:
				- name: default
				  cluster: { certificate-authority-data: %s, server: "https://127.0.0.1:6443" }
				contexts:
				- name: default
				  context: { cluster: default, user: default }
				current-context: default
				users:
				- name: default
				  user: { client-certificate-data: %s, client-key-data: %s }
				""".formatted(base64(server.authorityPem()), base64(admin.certificatePem()),
				base64(admin.privateKeyPkcs8Pem())));
	}

	private static String base64(String pem) {
		return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
	}

}
