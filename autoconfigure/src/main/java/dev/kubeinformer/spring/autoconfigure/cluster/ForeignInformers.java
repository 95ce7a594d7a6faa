package dev.kubeinformer.spring.autoconfigure.cluster;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;

/**
 * Finder of the {@link Informers} beans of the application that are injected where no
 * qualifier is.
 *
 * @param beanFactory the beans of one context
 */
public record ForeignInformers(ConfigurableListableBeanFactory beanFactory) {

	private static final String OURS = "kubernetesInformers";

	/**
	 * Finds the beans.
	 * @return their names; the primary one alone if there is one
	 */
	public List<String> names() {
		List<String> names = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(Informers.class, true, false)) {
			BeanDefinition definition = this.beanFactory.containsBeanDefinition(name)
					? this.beanFactory.getMergedBeanDefinition(name) : null;
			if (definition != null && definition.isPrimary()) {
				return isOurs(name) ? List.of() : List.of(name);
			}
			boolean candidate = definition == null || (definition.isAutowireCandidate()
					&& (!(definition instanceof AbstractBeanDefinition known) || known.isDefaultCandidate()));
			if (candidate && !isOurs(name)) {
				names.add(name);
			}
		}
		return names;
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
