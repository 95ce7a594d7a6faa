package dev.kubeinformer.spring.autoconfigure.cluster;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.ClientPropertyNames;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterEntries;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Check of an {@link Informers} bean of the application that handlers and listers use.
 * The auto-configured one backs off then, and with it the cluster that the properties
 * name: beside such properties the bean is refused, and reported otherwise.
 */
public final class AdoptedInformersCheck implements SmartInitializingSingleton {

	/** What to do about informers of the application that are one of several. */
	static final String BESIDE = "For a second cluster, name it below 'kubernetes.clusters' and use "
			+ "@Qualifier(\"<name>\"), or declare your bean with @Bean(defaultCandidate = false) and inject it by a "
			+ "qualifier. ";

	private static final String CLIENT = "kubernetesApiClient";

	private static final Logger logger = LoggerFactory.getLogger(AdoptedInformersCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final ClientPropertyNames properties;

	private final Supplier<Set<String>> clusters;

	/**
	 * Creates the check.
	 * @param beanFactory the beans of the context
	 * @param properties finds the properties of the client that are set
	 * @param clusters gives the names of the other clusters that are configured
	 */
	public AdoptedInformersCheck(ConfigurableListableBeanFactory beanFactory, ClientPropertyNames properties,
			Supplier<Set<String>> clusters) {
		this.beanFactory = beanFactory;
		this.clusters = clusters;
		this.properties = properties;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<String> names = new ForeignInformers(this.beanFactory).names();
		if (names.isEmpty()) {
			return;
		}
		String name = names.get(0);
		List<String> unused = usesOurClient(name) ? List.of()
				: Stream.concat(this.properties.setOfAll(), clusters()).toList();
		if (!unused.isEmpty() && !isInChild()) {
			throw new InformerConfigurationException(
					("The application's own Informers bean '%s' would take the place of the auto-configured one: all "
							+ "handlers and listers would read its cluster. These properties are set and would have no effect: %s")
						.formatted(name, String.join(", ", unused)),
					BESIDE + "If all are to use your bean, remove the properties.");
		}
		logger.info(
				"The application's own Informers bean '{}' takes the place of the auto-configured one: all handlers "
						+ "and listers use it{}",
				name, unused.isEmpty() ? "" : ". These properties have no effect on it: " + String.join(", ", unused));
	}

	private Stream<String> clusters() {
		return this.clusters.get().stream().map((name) -> ClusterEntries.name(name, ""));
	}

	/**
	 * Returns whether a parent has informers too: the properties are about those.
	 * @return whether it has
	 */
	private boolean isInChild() {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return parent != null && parent.getBeanProvider(Informers.class).stream().findAny().isPresent();
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

}
