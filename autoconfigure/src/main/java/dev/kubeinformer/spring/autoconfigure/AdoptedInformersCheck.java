package dev.kubeinformer.spring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import dev.kubeinformer.Informers;

/**
 * Reports that handlers and listers use an {@link Informers} bean of the application. The
 * auto-configured one backs off then, and with it the cluster that the properties name.
 */
final class AdoptedInformersCheck implements SmartInitializingSingleton {

	private static final String OURS = "kubernetesInformers";

	private static final String CLIENT = "kubernetesApiClient";

	private static final Logger logger = LoggerFactory.getLogger(AdoptedInformersCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final ClientPropertyNames properties;

	AdoptedInformersCheck(ConfigurableListableBeanFactory beanFactory, ClientPropertyNames properties) {
		this.beanFactory = beanFactory;
		this.properties = properties;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<String> names = List.of(this.beanFactory.getBeanNamesForType(Informers.class, true, false));
		if (names.stream().anyMatch((name) -> isOurs(name) || usesOurClient(name))) {
			return;
		}
		List<String> unused = Stream
			.concat(this.properties.set(ClientProvider.PROPERTIES), this.properties.set(List.of("protobuf")))
			.toList();
		if (!names.isEmpty() && !unused.isEmpty()) {
			logger.warn("The application's own Informers bean {} takes the place of the auto-configured one: all "
					+ "handlers and listers read its cluster. These properties are set and have no effect on it: {}. "
					+ "To keep both, declare yours with @Bean(defaultCandidate = false)",
					String.join(", ", names.stream().map("'%s'"::formatted).toList()), String.join(", ", unused));
		}
	}

	private boolean usesOurClient(String name) {
		// which the properties configure
		return List.of(this.beanFactory.getDependenciesForBean(name)).contains(CLIENT);
	}

	private boolean isOurs(String name) {
		if (!this.beanFactory.containsBeanDefinition(name)) {
			return name.equals(OURS);
		}
		BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(name);
		return name.equals(OURS) && (definition.getFactoryBeanName() == null
				|| definition.getFactoryBeanName().equals(InformerAutoConfiguration.class.getName()));
	}

}
