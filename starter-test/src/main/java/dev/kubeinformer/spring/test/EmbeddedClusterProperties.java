package dev.kubeinformer.spring.test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * {@link BeanDefinitionRegistryPostProcessor} that adds the clusters of
 * {@link EmbeddedKubernetesTest#clusters()} to the configuration, with the lowest
 * precedence. It runs before other post processors read the configuration.
 */
class EmbeddedClusterProperties implements BeanDefinitionRegistryPostProcessor, EnvironmentAware, PriorityOrdered {

	private static final String SOURCE = "embeddedKubernetesClusters";

	private final List<String> clusters;

	private @Nullable Environment environment;

	EmbeddedClusterProperties(List<String> clusters) {
		this.clusters = clusters;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		Map<String, Object> properties = new LinkedHashMap<>();
		// A cluster is declared by any of its properties. Readiness is set to its default
		// value, which changes nothing else.
		this.clusters
			.forEach((cluster) -> properties.put("kubernetes.clusters.%s.readiness".formatted(cluster), false));
		if (!properties.isEmpty() && this.environment instanceof ConfigurableEnvironment configurable) {
			configurable.getPropertySources().addLast(new MapPropertySource(SOURCE, properties));
		}
	}

}
