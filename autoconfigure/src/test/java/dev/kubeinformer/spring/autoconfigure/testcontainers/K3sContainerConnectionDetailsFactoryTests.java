package dev.kubeinformer.spring.autoconfigure.testcontainers;

import java.io.IOException;
import java.util.Base64;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.VersionApi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.testcontainers.k3s.K3sContainer;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of the service connection to K3s, with a container that is a mock and gives the
 * kubeconfig of a server without Docker. The certificates are of this test alone.
 */
@SpringJUnitConfig
@TestPropertySource(properties = { "kubernetes.client.url=http://localhost:1", "kubernetes.client.token=elsewhere" })
@DirtiesContext
class K3sContainerConnectionDetailsFactoryTests {

	private static final TlsVersionServer server = start();

	@ServiceConnection
	private static final K3sContainer k3s = container();

	@Autowired
	private ApiClient client;

	@Autowired
	private KubernetesConnectionDetails details;

	@AfterAll
	static void stop() {
		server.close();
	}

	@Test
	void certificatesOfTheContainerShouldBeUsed() throws ApiException {
		assertThat(this.client.getBasePath()).isEqualTo(server.url());
		assertThat(new VersionApi(this.client).getCode().execute().getGitVersion()).isEqualTo("v1.36.0+k3s1");
		assertThat(server.clients()).containsExactly("CN=system:admin,O=system:masters");
	}

	@Test
	void tokenOfThePropertiesShouldNotBeSent() {
		assertThat(this.details.getToken()).isNull();
		assertThat(this.client.getAuthentication("BearerToken")).hasFieldOrPropertyWithValue("apiKey", null);
	}

	@Test
	void namespaceShouldBeThatOfTheKubeconfig() {
		assertThat(this.details.getNamespace()).isEqualTo("default");
	}

	private static TlsVersionServer start() {
		try {
			return new TlsVersionServer();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static K3sContainer container() {
		// The constructor of a real one asks for Docker.
		K3sContainer container = mock(K3sContainer.class);
		given(container.getDockerImageName()).willReturn("rancher/k3s:latest");
		given(container.getKubeConfigYaml()).willReturn("""
				apiVersion: v1
				kind: Config
				clusters:
				- name: default
				  cluster:
				    certificate-authority-data: %s
				    server: %s
				contexts:
				- name: default
				  context:
				    cluster: default
				    user: default
				current-context: default
				users:
				- name: default
				  user:
				    client-certificate-data: %s
				    client-key-data: %s
				""".formatted(base64("ca.crt"), server.url(), base64("client.crt"), base64("client.key")));
		return container;
	}

	private static String base64(String file) {
		try {
			byte[] content = new ClassPathResource(TlsVersionServer.path(file)).getContentAsByteArray();
			return Base64.getEncoder().encodeToString(content);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(KubernetesClientAutoConfiguration.class)
	static class TestConfiguration {

	}

}
