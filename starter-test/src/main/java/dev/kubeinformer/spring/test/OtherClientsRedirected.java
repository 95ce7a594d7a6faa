package dev.kubeinformer.spring.test;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * {@link BeanPostProcessor} that points clients of the application to the embedded API,
 * for those who ask for them by name or qualifier and would reach a real cluster.
 */
class OtherClientsRedirected implements BeanPostProcessor {

	private final ObjectProvider<EmbeddedKubernetes> kubernetes;

	OtherClientsRedirected(ObjectProvider<EmbeddedKubernetes> kubernetes) {
		this.kubernetes = kubernetes;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ApiClient client && !(bean instanceof EmbeddedApiClient)) {
			client.setBasePath(this.kubernetes.getObject().url());
		}
		return bean;
	}

}
