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
 * instead of the auto-configured one. If it was not built with an injected
 * {@link Informers.Builder}, it uses neither the configured client nor the beans with
 * transforms and indexes. Such an {@code Informers} bean is rejected if the application
 * has beans or properties that it does not use. In a child context, unused properties are
 * only logged.
 *
 * @param beanFactory the beans of the context
 * @param models the transforms and indexes
 * @param properties the names of the client properties that are set
 * @param clusters the supplier of the names of the other configured clusters
 */
public record UserInformersCheck(ConfigurableListableBeanFactory beanFactory, ModelBeans models,
		ClientPropertyNames properties, Supplier<Set<String>> clusters) implements SmartInitializingSingleton {

	/** Remedy if the application has several {@code Informers} beans. */
	static final String BESIDE = "For a second cluster, name it below 'kubernetes.clusters' and use "
			+ "@Qualifier(\"<name>\"), or declare your bean with @Bean(defaultCandidate = false) and inject it by a "
			+ "qualifier. ";

	private static final String OURS = "kubernetesInformers";

	private static final String PROTOTYPE = "build it from the Informers.Builder bean 'kubernetesInformersBuilder', "
			+ "which every bean method may take as a parameter";

	private static final Logger logger = LoggerFactory.getLogger(UserInformersCheck.class);

	/**
	 * Finds the beans that an injection point for {@code Informers} without a qualifier
	 * could get.
	 * @param beanFactory the beans of a context
	 * @return the names of the beans; only that of the primary bean if there is a primary
	 * one
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
						"Using the application's own Informers bean '{}' instead of the "
								+ "auto-configured one for all handlers and listers{}",
						name, unused.isEmpty() ? ""
								: ". These properties have no effect on it: " + String.join(", ", unused));
			}
		});
	}

	/**
	 * Rejects beans and properties that the informers of the application do not use.
	 * Properties are not rejected if they apply to the informers of a parent context.
	 * @param name the name of the bean, which was not built with the injected builder
	 * @return the properties that apply only to the informers of a parent context
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
					("The application's own Informers bean '%s' would replace the auto-configured "
							+ "one, so that all handlers and listers would read its cluster. These properties "
							+ "would have no effect: %s")
						.formatted(name, String.join(", ", properties)),
					BESIDE + "To use the client of the properties, " + PROTOTYPE
							+ ". If all are to use your bean, remove the properties.");
		}
		return properties;
	}

	/**
	 * Returns whether a parent context has informers. If it has, the properties apply to
	 * them.
	 * @return {@code true} if a parent has informers
	 */
	private boolean isInChild() {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return parent != null && parent.getBeanProvider(Informers.class).stream().findAny().isPresent();
	}

}
