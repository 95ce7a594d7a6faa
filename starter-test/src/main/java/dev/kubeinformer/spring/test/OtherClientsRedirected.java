package dev.kubeinformer.spring.test;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.PriorityOrdered;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * {@link BeanPostProcessor} that points clients of the application to the embedded API,
 * for those who ask for them by name or qualifier and would reach a real cluster. It
 * comes first, and also takes those that are there before any post processor.
 */
class OtherClientsRedirected implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {

	private final ObjectProvider<EmbeddedKubernetes> kubernetes;

	OtherClientsRedirected(ObjectProvider<EmbeddedKubernetes> kubernetes) {
		this.kubernetes = kubernetes;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		if (beanFactory instanceof ConfigurableListableBeanFactory beans) {
			for (String name : beans.getBeanNamesForType(ApiClient.class, true, false)) {
				Object singleton = beans.getSingleton(name);
				if (singleton != null) {
					postProcessAfterInitialization(singleton, name);
				}
			}
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ApiClient client && !(bean instanceof EmbeddedApiClient)) {
			client.setBasePath(this.kubernetes.getObject().url());
		}
		return bean;
	}

}
