package dev.kubeinformer.spring.test;

import java.time.Duration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * The server of an application context and what makes the context use it. It is read
 * before all other configuration, so that conditions on a missing client see this one.
 */
@Configuration(proxyBeanMethods = false)
@Order(Ordered.HIGHEST_PRECEDENCE)
class EmbeddedKubernetesConfiguration {

	static final String SERVER = "dev.kubeinformer.spring.test.embeddedKubernetes";

	@Bean
	static OtherClientsNotPrimary embeddedKubernetesOtherClientsNotPrimary() {
		return new OtherClientsNotPrimary();
	}

	@Bean
	static OtherClientsRedirected embeddedKubernetesOtherClientsRedirected(
			ObjectProvider<EmbeddedKubernetes> kubernetes) {
		return new OtherClientsRedirected(kubernetes);
	}

	// An application may have one of its own, most likely by the simple name.
	@Bean(name = SERVER, destroyMethod = "close")
	@Primary
	@Conditional(NotInParentCondition.class)
	EmbeddedKubernetes embeddedKubernetes(EmbeddedKubernetesSettings settings) {
		return EmbeddedKubernetes.builder()
			.bookmarkInterval(Duration.ofMillis(settings.bookmarkMillis()))
			.garbageCollection(settings.garbageCollection())
			.start();
	}

	@Bean
	@Primary
	EmbeddedKubernetesConnectionDetails embeddedKubernetesConnectionDetails(EmbeddedKubernetes kubernetes) {
		return new EmbeddedKubernetesConnectionDetails(kubernetes.url());
	}

	@Bean(destroyMethod = "close")
	@Primary
	EmbeddedApiClient embeddedKubernetesApiClient(EmbeddedKubernetes kubernetes) {
		return new EmbeddedApiClient(kubernetes.url());
	}

	@Bean
	EmbeddedKubernetesReset embeddedKubernetesReset(EmbeddedKubernetes kubernetes, ApplicationContext context) {
		return new EmbeddedKubernetesReset(kubernetes, context);
	}

}
