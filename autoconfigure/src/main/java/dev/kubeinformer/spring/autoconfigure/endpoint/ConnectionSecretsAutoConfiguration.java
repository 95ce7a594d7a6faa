package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.Set;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import dev.kubeinformer.spring.autoconfigure.client.ClusterNames;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

/**
 * Auto-configuration that hides the secrets of connections in the endpoints {@code env}
 * and {@code configprops}.
 */
@AutoConfiguration(after = KubernetesClientAutoConfiguration.class)
@ConditionalOnClass(SanitizingFunction.class)
public final class ConnectionSecretsAutoConfiguration {

	ConnectionSecretsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	ConnectionSecrets kubernetesConnectionSecrets(Environment environment, ObjectProvider<ClusterNames> clusters) {
		return new ConnectionSecrets(environment, () -> {
			ClusterNames names = clusters.getIfAvailable();
			return (names != null) ? names.names() : Set.of();
		});
	}

}
