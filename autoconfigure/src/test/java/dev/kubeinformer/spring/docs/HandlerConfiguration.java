package dev.kubeinformer.spring.docs;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.handler.InformerErrorHandler;

/**
 * The bean methods of the page.
 */
@Configuration(proxyBeanMethods = false)
class HandlerConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(HandlerConfiguration.class);

	@Bean
	@InformerHandler(namespaces = "kube-system")
	ResourceEventHandler<V1ConfigMap> systemConfig() {
		return new ConfigHandler();
	}

	@Bean
	InformerErrorHandler errorHandler() {
		return (event, failure, handler) -> logger.error("{} gave up {} of {}", handler.id(), event.type(),
				event.object().getMetadata().getName(), failure);
	}

}
