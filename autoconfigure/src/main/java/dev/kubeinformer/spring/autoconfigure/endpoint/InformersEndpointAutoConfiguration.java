package dev.kubeinformer.spring.autoconfigure.endpoint;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.rbac.DefinitionRights;
import dev.kubeinformer.spring.rbac.LeaseRights;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.spring.rbac.UsedResources;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Auto-configuration for the endpoint {@code informers}.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnAvailableEndpoint(InformersEndpoint.class)
@ConditionalOnBean({ Informers.class, InformerHandlerRegistry.class })
public final class InformersEndpointAutoConfiguration {

	InformersEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	InformersEndpoint informersEndpoint(ClusterRuntimes clusters, InformerHandlers handlers, Reconcilers reconcilers,
			MissingRights missingRights, BeanFactory beanFactory, Environment environment) {
		return new InformersEndpoint(clusters, handlers, reconcilers, missingRights,
				LeaseRights.of(beanFactory, environment), RequiredRoles.name(environment),
				DefinitionRights.of(new UsedResources(clusters, handlers, reconcilers), environment));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(InformersEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	InformersEndpointWebExtension informersEndpointWebExtension(InformersEndpoint endpoint) {
		return new InformersEndpointWebExtension(endpoint);
	}

}
