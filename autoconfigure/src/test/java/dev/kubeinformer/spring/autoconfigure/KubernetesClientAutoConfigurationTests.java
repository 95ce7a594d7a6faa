package dev.kubeinformer.spring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;

import io.kubernetes.client.openapi.ApiClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.InformerContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of which cluster is found.
 */
class KubernetesClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KubernetesClientAutoConfiguration.class))
		.withPropertyValues(InformerContextRunner.NO_CLUSTER);

	@TempDir
	private Path directory;

	@Test
	void contextWhenNoClusterShouldStart() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(ApiClient.class))
				.withRootCauseInstanceOf(NoClusterConfiguredException.class);
		});
	}

	@Test
	void urlShouldWinOverKubeconfig() throws Exception {
		this.runner
			.withPropertyValues("kubernetes.client.url=http://by-url:1/", "kubernetes.client.token=abc",
					"kubernetes.client.kubeconfig=" + kubeconfig("config"))
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getBasePath()).isEqualTo("http://by-url:1");
				assertThat(client.getAuthentication("BearerToken")).hasFieldOrPropertyWithValue("apiKey", "abc");
			});
	}

	@Test
	void kubeconfigPropertyShouldWinOverVariable() throws Exception {
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("property"),
					"KUBECONFIG=" + kubeconfig("variable"))
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://property-one:1"));
	}

	@Test
	void contextPropertyShouldSelectTheContext() throws Exception {
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("property"),
					"kubernetes.client.context=two")
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://property-two:1"));
	}

	@Test
	void variableShouldWinOverHomeDirectory() throws Exception {
		home();
		this.runner.withPropertyValues("KUBECONFIG=/nonexistent/x:" + kubeconfig("variable"), "HOME=" + this.directory)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://variable-one:1"));
	}

	@Test
	void homeDirectoryShouldBeUsedLast() throws Exception {
		home();
		this.runner.withPropertyValues("HOME=" + this.directory)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://home-one:1"));
	}

	@Test
	void variableThatNamesNoFileShouldNotMeanTheHomeDirectory() throws Exception {
		home();
		this.runner.withPropertyValues("KUBECONFIG=/nonexistent/x", "HOME=" + this.directory)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.withRootCauseInstanceOf(InvalidKubeconfigException.class));
	}

	@Test
	void userAgentAndTimeoutShouldBeApplied() {
		this.runner
			.withPropertyValues("kubernetes.client.url=http://localhost:1", "kubernetes.client.user-agent=mine/1",
					"kubernetes.client.connect-timeout=3s")
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getConnectTimeout()).isEqualTo(3000);
				assertThat(client).extracting("defaultHeaderMap").asString().contains("mine/1");
			});
	}

	@Test
	void usersClientShouldWin() {
		this.runner.withUserConfiguration(UserClient.class)
			.withPropertyValues("kubernetes.client.url=http://localhost:1")
			.run((context) -> assertThat(context).hasSingleBean(ApiClient.class).hasBean("userClient"));
	}

	@Test
	void currentNamespaceShouldBeThatOfTheContext() throws Exception {
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("config"))
			.run((context) -> assertThat(context.getBean(ClusterLocator.class).currentNamespace()).isEqualTo("web"));
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("config"), "kubernetes.client.context=two")
			.run((context) -> assertThat(context.getBean(ClusterLocator.class).currentNamespace())
				.isEqualTo("default"));
	}

	@Test
	void currentNamespaceWhenNothingTellsItShouldFail() {
		this.runner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(ClusterLocator.class).currentNamespace())
			.withMessageContaining("@current"));
	}

	private void home() throws Exception {
		Files.createDirectories(this.directory.resolve(".kube"));
		Files.copy(kubeconfig("home"), this.directory.resolve(".kube/config"));
	}

	private Path kubeconfig(String name) throws Exception {
		return Files.writeString(this.directory.resolve(name), """
				apiVersion: v1
				kind: Config
				current-context: one
				contexts:
				- name: one
				  context: { cluster: one, namespace: web }
				- name: two
				  context: { cluster: two }
				clusters:
				- name: one
				  cluster: { server: "http://%1$s-one:1" }
				- name: two
				  cluster: { server: "http://%1$s-two:1" }
				users: []
				""".formatted(name));
	}

	@Configuration(proxyBeanMethods = false)
	static class UserClient {

		@Bean
		ApiClient userClient() {
			return new ApiClient();
		}

	}

}
