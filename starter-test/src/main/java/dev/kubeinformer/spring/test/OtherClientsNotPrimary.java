package dev.kubeinformer.spring.test;

import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import dev.kubeinformer.spring.autoconfigure.KubernetesConnectionDetails;

/**
 * {@link BeanFactoryPostProcessor} by which the client and the connection details of the
 * embedded API are the only primary ones, whatever the application says of its own.
 */
class OtherClientsNotPrimary implements BeanFactoryPostProcessor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Stream.of(ApiClient.class, KubernetesConnectionDetails.class)
			.flatMap((type) -> Stream.of(beanFactory.getBeanNamesForType(type, true, false)))
			.filter((name) -> beanFactory.containsBeanDefinition(name) && !isEmbedded(beanFactory, name))
			.forEach((name) -> beanFactory.getBeanDefinition(name).setPrimary(false));
	}

	private static boolean isEmbedded(ConfigurableListableBeanFactory beanFactory, String name) {
		return beanFactory.isTypeMatch(name, EmbeddedApiClient.class)
				|| beanFactory.isTypeMatch(name, EmbeddedKubernetesConnectionDetails.class);
	}

}
