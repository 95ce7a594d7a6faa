package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an application in a pod.
 */
@ExtendWith(OutputCaptureExtension.class)
class PodAccessTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start();

	@TempDir
	private Path directory;

	private ApplicationContextRunner runner;

	@BeforeEach
	void mount() throws IOException {
		Files.writeString(this.directory.resolve("token"), "of-pod\n");
		Files.writeString(this.directory.resolve("namespace"), "web");
		Files.writeString(this.directory.resolve("ca.crt"), this.kubernetes.caCertificate());
		URI url = URI.create(this.kubernetes.url());
		this.runner = InformerContextRunner.withoutCluster()
			.withUserConfiguration(Pod.class)
			.withPropertyValues("test.service-account=" + this.directory, "KUBERNETES_SERVICE_HOST=" + url.getHost(),
					"KUBERNETES_SERVICE_PORT=" + url.getPort());
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void informersShouldConnectByTheServiceAccount(CapturedOutput output) {
		this.runner.run((context) -> {
			Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
			await().until(() -> pods.state() == InformerState.LIVE);
			assertThat(this.kubernetes.requests())
				.allMatch((request) -> "Bearer of-pod".equals(request.header("Authorization")));
			assertThat(context.getBean(ClusterLocator.class).currentNamespace()).isEqualTo("web");
		});
		assertThat(output).contains("Kubernetes API at %s (service account)".formatted(this.kubernetes.url()))
			.doesNotContain("of-pod");
	}

	@Test
	void portOfAContainerLinkShouldNameTheVariable() {
		assertFails(Map.of("KUBERNETES_SERVICE_PORT", "tcp://10.96.0.1:443"),
				"The environment variable 'KUBERNETES_SERVICE_PORT' is 'tcp://10.96.0.1:443', which is not a port");
	}

	@Test
	void addressOfVersionSixShouldBeInBrackets() {
		this.runner.withPropertyValues("KUBERNETES_SERVICE_HOST=fd00::1", "KUBERNETES_SERVICE_PORT=443")
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("https://[fd00::1]:443"));
	}

	@Test
	void missingAuthorityShouldNameTheFileUnlessAPropertyNamesAnother() throws IOException {
		Path other = Files.move(this.directory.resolve("ca.crt"), this.directory.resolve("other.crt"));
		assertFails(Map.of(), "has no file '%s'".formatted(this.directory.resolve("ca.crt")));
		this.runner.withPropertyValues("kubernetes.client.ca=" + other)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo(this.kubernetes.url()));
	}

	@Test
	void missingTokenShouldNameTheFileAndTheMend() throws IOException {
		Path token = this.directory.resolve("token");
		Files.delete(token);
		ApplicationContextRunner homeless = this.runner.withPropertyValues("HOME=" + this.directory);
		homeless.run((context) -> {
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOfSatisfying(NoClusterConfiguredException.class,
						(ex) -> assertThat(ex.getAction()).startsWith("Set 'automountServiceAccountToken: true'"))
				.withMessageContaining("the service account of the pod, which has no file '%s'", token);
			assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(ClusterLocator.class).currentNamespace())
				.withMessageContaining("has no file '%s'; set 'automountServiceAccountToken: true'", token);
		});
		homeless.withBean(ConnectionGuard.class, () -> (client) -> {
		})
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOfSatisfying(NoClusterConfiguredException.class,
						(ex) -> assertThat(ex.getAction()).contains("@EmbeddedKubernetesTest")));
	}

	@Test
	void emptyTokenShouldNameTheFile() throws IOException {
		Files.writeString(this.directory.resolve("token"), "\n");
		assertFails(Map.of(), "names the file '%s', which is empty".formatted(this.directory.resolve("token")));
	}

	@Test
	void missingNamespaceShouldNameTheFile() throws IOException {
		Files.delete(this.directory.resolve("namespace"));
		this.runner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(ClusterLocator.class).currentNamespace())
			.withMessageContaining("'@current' needs the file '%s'", this.directory.resolve("namespace")));
	}

	private void assertFails(Map<String, String> variables, String message) {
		String[] values = new HashMap<>(variables).entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + entry.getValue())
			.toArray(String[]::new);
		this.runner.withPropertyValues(values).run((context) -> assertFailed(context, message));
	}

	private static void assertFailed(ApplicationContext context, String message) {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(ApiClient.class))
			.havingRootCause()
			.isInstanceOfSatisfying(InformerConfigurationException.class,
					(ex) -> assertThat(ex.getAction()).isNotBlank())
			.withMessageContaining(message);
	}

	@Configuration(proxyBeanMethods = false)
	static class Pod {

		@Bean
		ClusterLocator locator(KubernetesClientProperties properties, Environment environment,
				ListableBeanFactory beanFactory) {
			return new ClusterLocator(null, KubernetesClientProperties.PREFIX, properties, () -> null, environment,
					beanFactory.getBeanProvider(ConnectionGuard.class),
					Path.of(environment.getRequiredProperty("test.service-account")));
		}

	}

}
