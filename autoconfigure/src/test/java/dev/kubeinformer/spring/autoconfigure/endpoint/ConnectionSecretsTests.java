package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.spring.InformerContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Content of the endpoints {@code env} and {@code configprops} about a connection if they
 * show all values.
 */
class ConnectionSecretsTests {

	private static final String PATTERN = "(?i)(kubernetes|copied|some|cluster|api_url).*";

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withConfiguration(AutoConfigurations.of(ConnectionSecretsAutoConfiguration.class,
				EnvironmentEndpointAutoConfiguration.class,
				ConfigurationPropertiesReportEndpointAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=env,configprops",
				"management.endpoint.env.show-values=always", "management.endpoint.configprops.show-values=always",
				"kubernetes.informers.enabled=false");

	@Test
	void endpointsShouldNotShowSecretsOfConnections() {
		this.runner.withPropertyValues("kubernetes.client.url=${API_URL}",
				"kubernetes.client.token=${CLUSTER_CREDENTIAL}", "kubernetes.client.user-agent=shown",
				"kubernetes.client.proxy=http://proxy-user:proxy-secret@proxy.example.com:3128",
				"kubernetes.clusters.edge.url=https://edge.example.com", "kubernetes.clusters.edge.token=edge-secret",
				"kubernetes.clusters.edge.proxy=http://a:edge-proxy-secret@edge-proxy.example.com",
				"copied.header=Bearer main-secret")
			.withInitializer((context) -> {
				context.getEnvironment()
					.getPropertySources()
					.addLast(new MapPropertySource("origin", Map.of("CLUSTER_CREDENTIAL", "main-secret", "API_URL",
							"https://someone:url-secret@api.example.com")));
				context.getEnvironment()
					.getPropertySources()
					.addLast(new SystemEnvironmentPropertySource("test-systemEnvironment",
							Map.of("KUBERNETES_CLIENT_TOKEN", "variable-secret", "KUBERNETES_CLUSTERS_EDGE_TOKEN",
									"other-secret", "KUBERNETES_CLIENT_PROXY", "http://b:third-secret@other:1")));
			})
			.run((context) -> {
				assertThat(context).hasNotFailed();
				String env = json(context.getBean(EnvironmentEndpoint.class).environment(PATTERN));
				String properties = json(
						context.getBean(ConfigurationPropertiesReportEndpoint.class).configurationProperties());
				assertThat(env).doesNotContain("-secret")
					.contains("\"shown\"", "proxy.example.com:3128", "https://api.example.com", "edge.example.com");
				assertThat(properties).doesNotContain("-secret").contains("\"shown\"", "proxy.example.com:3128");
				assertThat(json(context.getBean(EnvironmentEndpoint.class).environmentEntry("CLUSTER_CREDENTIAL")))
					.doesNotContain("-secret");
			});
	}

	@Test
	void placeholderWithoutAValueShouldNotBreakTheEndpoints() {
		this.runner
			.withPropertyValues("kubernetes.client.url=https://api.example.com", "kubernetes.client.token=${MISSING}",
					"kubernetes.client.proxy=http://${ALSO_MISSING}@proxy.example.com", "some.text=shown")
			.run((context) -> assertThat(json(context.getBean(EnvironmentEndpoint.class).environment(PATTERN)))
				.contains("shown"));
	}

	@Test
	void shortTokenShouldNotHideOtherValues() {
		this.runner
			.withPropertyValues("kubernetes.client.url=https://api.example.com", "kubernetes.client.token=abc",
					"some.text=abcdef")
			.run((context) -> assertThat(json(context.getBean(EnvironmentEndpoint.class).environment(PATTERN)))
				.contains("abcdef")
				.doesNotContain("\"abc\""));
	}

	private static String json(Object descriptor) {
		return JsonMapper.shared().writeValueAsString(descriptor);
	}

}
