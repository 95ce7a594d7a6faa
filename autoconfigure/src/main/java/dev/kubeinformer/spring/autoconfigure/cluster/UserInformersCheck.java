package dev.kubeinformer.spring.autoconfigure.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.ClientPropertyNames;
import dev.kubeinformer.spring.autoconfigure.model.ModelBeans;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterEntries;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Checks an {@link Informers} bean of the application that handlers and listers use
 * instead of the auto-configured one. If it was not built from the prototype bean of
 * {@link Informers.Builder}, it knows neither the client of the configuration nor beans
 * of transforms and indexes: beside such properties or beans it is refused.
 *
 * @param beanFactory the beans of the context
 * @param models the transforms and indexes
 * @param properties finds the properties of the client that are set
 * @param clusters gives the names of the other clusters that are configured
 */
public record UserInformersCheck(ConfigurableListableBeanFactory beanFactory, ModelBeans models,
		ClientPropertyNames properties, Supplier<Set<String>> clusters) implements SmartInitializingSingleton {

	/** What to do about informers of the application that are one of several. */
	static final String BESIDE = "For a second cluster, name it below 'kubernetes.clusters' and use "
			+ "@Qualifier(\"<name>\"), or declare your bean with @Bean(defaultCandidate = false) and inject it by a "
			+ "qualifier. ";

	private static final String OURS = "kubernetesInformers";

	private static final String PROTOTYPE = "build it from the Informers.Builder bean 'kubernetesInformersBuilder', "
			+ "which every bean method may take as a parameter";

	private static final Logger logger = LoggerFactory.getLogger(UserInformersCheck.class);

	/**
	 * Finds the informers that are injected where no qualifier is.
	 * @param beanFactory the beans of a context
	 * @return the names of the beans; the primary one alone if there is one
	 */
	static List<String> candidates(ConfigurableListableBeanFactory beanFactory) {
		List<String> names = new ArrayList<>();
		for (String name : beanFactory.getBeanNamesForType(Informers.class, true, false)) {
			BeanDefinition definition = beanFactory.containsBeanDefinition(name)
					? beanFactory.getMergedBeanDefinition(name) : null;
			if (definition != null && definition.isPrimary()) {
				return List.of(name);
			}
			if (definition == null || (definition.isAutowireCandidate()
					&& (!(definition instanceof AbstractBeanDefinition known) || known.isDefaultCandidate()))) {
				names.add(name);
			}
		}
		return names;
	}

	@Override
	public void afterSingletonsInstantiated() {
		candidates(this.beanFactory).forEach((name) -> {
			boolean ofPrototype = this.models.wereAppliedTo(this.beanFactory.getBean(name, Informers.class));
			List<String> unused = ofPrototype ? List.of() : unused(name);
			if (!ofPrototype || !name.equals(OURS)) {
				logger.info(
						"The application's own Informers bean '{}' takes the place of the auto-configured one: all "
								+ "handlers and listers use it{}",
						name, unused.isEmpty() ? ""
								: ". These properties have no effect on it: " + String.join(", ", unused));
			}
		});
	}

	/**
	 * Refuses what the informers would have to use and cannot.
	 * @param name the name of the bean, which was not built from the prototype
	 * @return the properties that are about the informers of a parent
	 */
	private List<String> unused(String name) {
		List<String> beans = this.models.names();
		if (!beans.isEmpty()) {
			throw new InformerConfigurationException(
					"The application's own Informers bean '%s' does not use the InformerTransform and InformerIndex beans: '%s'"
						.formatted(name, String.join("', '", beans)),
					"To use them, " + PROTOTYPE + ". It has the ApiClient bean as its client.");
		}
		List<String> properties = Stream
			.concat(this.properties.setOfAll(),
					this.clusters.get().stream().map((cluster) -> ClusterEntries.name(cluster, "")))
			.toList();
		if (!properties.isEmpty() && !isInChild()) {
			throw new InformerConfigurationException(
					("The application's own Informers bean '%s' would take the place of the auto-configured one: all "
							+ "handlers and listers would read its cluster. These properties are set and would have no effect: %s")
						.formatted(name, String.join(", ", properties)),
					BESIDE + "To use the client of the properties, " + PROTOTYPE
							+ ". If all are to use your bean, remove the properties.");
		}
		return properties;
	}

	/**
	 * Returns whether a parent has informers too: the properties are about those.
	 * @return whether a parent has informers
	 */
	private boolean isInChild() {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return parent != null && parent.getBeanProvider(Informers.class).stream().findAny().isPresent();
	}

}
