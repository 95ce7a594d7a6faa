package dev.kubeinformer.spring.console;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.MappedInterceptor;

import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Auto-configuration of the endpoint {@code informersconsole}.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnAvailableEndpoint(endpoint = InformersConsoleEndpoint.class, exposure = EndpointExposure.WEB)
@ConditionalOnBean(InformerHandlerRegistry.class)
public final class InformersConsoleAutoConfiguration {

	InformersConsoleAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	InformersConsoleEndpoint informersConsoleEndpoint(ObjectProvider<PathMappedEndpoints> endpoints,
			Environment environment) {
		String application = environment.getProperty("spring.application.name");
		return new InformersConsoleEndpoint(new ConsolePaths(endpoints::getObject),
				StringUtils.hasText(application) ? application : null);
	}

	/**
	 * Sets the headers of the console's responses in servlet applications.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class ServletConfiguration {

		// Every handler mapping uses this bean, including the mappings of a separate
		// management context.
		@Bean
		MappedInterceptor informersConsoleHeaders(ObjectProvider<PathMappedEndpoints> endpoints) {
			return new MappedInterceptor(null, new ServletConsoleHeaders(new ConsolePaths(endpoints::getObject)));
		}

	}

	/**
	 * Sets the headers of the console's responses in reactive applications.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class ReactiveConfiguration {

		@Bean
		ReactiveConsoleHeaders informersConsoleHeaders(ObjectProvider<PathMappedEndpoints> endpoints) {
			return new ReactiveConsoleHeaders(new ConsolePaths(endpoints::getObject));
		}

	}

}
