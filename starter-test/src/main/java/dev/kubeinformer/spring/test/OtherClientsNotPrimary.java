package dev.kubeinformer.spring.test;

import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;

/**
 * {@link BeanFactoryPostProcessor} that makes the client and the connection details of
 * the embedded API the only primary beans of their types. For a named cluster, it also
 * removes all connection details of other servers.
 */
class OtherClientsNotPrimary implements BeanFactoryPostProcessor {

	private final List<String> clusters;

	OtherClientsNotPrimary(List<String> clusters) {
		this.clusters = clusters;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Stream.of(ApiClient.class, KubernetesConnectionDetails.class)
			.flatMap((type) -> Stream.of(beanFactory.getBeanNamesForType(type, true, false)))
			.filter((name) -> isPrimary(beanFactory, name) && !isEmbedded(beanFactory, name))
			.forEach((name) -> demote(beanFactory, name));
		for (String cluster : this.clusters) {
			removeOtherDetails(beanFactory, cluster);
		}
	}

	// Several connection details of one cluster would be ambiguous, because their
	// qualifier is the same.
	private static void removeOtherDetails(ConfigurableListableBeanFactory beanFactory, String cluster) {
		Stream.of(beanFactory.getBeanNamesForType(KubernetesConnectionDetails.class, true, false))
			.filter((name) -> BeanFactoryAnnotationUtils.isQualifierMatch(cluster::equals, name, beanFactory))
			.filter((name) -> beanFactory.containsBeanDefinition(name) && !isEmbedded(beanFactory, name))
			.forEach(((BeanDefinitionRegistry) beanFactory)::removeBeanDefinition);
	}

	private static boolean isPrimary(ConfigurableListableBeanFactory beanFactory, String name) {
		return beanFactory.containsBeanDefinition(name) && beanFactory.getBeanDefinition(name).isPrimary();
	}

	/**
	 * Makes a bean not primary. Throws an exception if there are other beans of its own
	 * class: injection of that class would become ambiguous.
	 * @param beanFactory the beans
	 * @param name the name of the bean
	 */
	private static void demote(ConfigurableListableBeanFactory beanFactory, String name) {
		Class<?> type = beanFactory.getType(name, false);
		if (type != null && type != ApiClient.class && type != KubernetesConnectionDetails.class
				&& beanFactory.getBeanNamesForType(type, true, false).length > 1) {
			throw new IllegalStateException(
					("The bean '%s' cannot be primary, because @EmbeddedKubernetesTest defines a primary "
							+ "bean; otherwise injection of '%s' would find several beans. Inject it with a qualifier.")
						.formatted(name, type.getName()));
		}
		beanFactory.getBeanDefinition(name).setPrimary(false);
	}

	private static boolean isEmbedded(ConfigurableListableBeanFactory beanFactory, String name) {
		return beanFactory.isTypeMatch(name, EmbeddedApiClient.class)
				|| beanFactory.isTypeMatch(name, EmbeddedKubernetesConnectionDetails.class);
	}

}
