package dev.kubeinformer.spring.autoconfigure;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.ClientPropertyNames;

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
		List<String> unused = this.properties.setOfAll().toList();
		if (!names.isEmpty() && !unused.isEmpty()) {
			logger.warn("The application's own Informers bean {} takes the place of the auto-configured one: all "
					+ "handlers and listers read its cluster. These properties are set and have no effect on it: {}. "
					+ "To keep both, declare yours with @Bean(defaultCandidate = false)",
					String.join(", ", names.stream().map("'%s'"::formatted).toList()), String.join(", ", unused));
		}
	}

	/**
	 * Returns whether a bean has the client that the properties configure, or may have
	 * it: what a provider gives is not known.
	 * @param name the name of the bean
	 * @return whether it has or may have it
	 */
	private boolean usesOurClient(String name) {
		Set<String> seen = new HashSet<>();
		Deque<String> open = new ArrayDeque<>(List.of(name));
		while (!open.isEmpty()) {
			String next = open.pop();
			if (next.equals(CLIENT)) {
				return true;
			}
			if (seen.add(next)) {
				open.addAll(List.of(this.beanFactory.getDependenciesForBean(next)));
				if (this.beanFactory.containsBeanDefinition(next)) {
					BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(next);
					if (definition.getFactoryBeanName() != null) {
						open.add(definition.getFactoryBeanName());
					}
					if (hasProvider(definition)) {
						return true;
					}
				}
			}
		}
		return false;
	}

	private static boolean hasProvider(BeanDefinition definition) {
		Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
		return method != null
				&& Arrays.stream(method.getParameterTypes()).anyMatch(ObjectFactory.class::isAssignableFrom);
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
