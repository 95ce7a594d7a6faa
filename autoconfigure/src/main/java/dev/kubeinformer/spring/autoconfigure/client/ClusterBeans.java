package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Finds beans of the application that belong to one cluster. Their qualifier or their
 * bean name is the name of the cluster. Internal to the starter.
 *
 * @param beanFactory the bean factory
 */
public record ClusterBeans(ListableBeanFactory beanFactory) {

	/**
	 * Finds the bean of a cluster.
	 * @param type the type
	 * @param cluster the name of the cluster
	 * @return the name of the bean; {@code null} if there is none
	 * @throws InformerConfigurationException if there are several
	 */
	public @Nullable String find(Class<?> type, String cluster) {
		List<String> names = all(type).filter((name) -> isOf(name, cluster)).toList();
		if (names.size() > 1) {
			throw new InformerConfigurationException(
					"Cluster '%s' has %d beans of type '%s': %s".formatted(cluster, names.size(), type.getSimpleName(),
							names.stream().map("'%s'"::formatted).collect(Collectors.joining(", "))),
					"Keep one of them, or give each the name of its cluster: @Qualifier(\"%s\").".formatted(cluster),
					null);
		}
		return names.isEmpty() ? null : names.get(0);
	}

	private Stream<String> all(Class<?> type) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, type, true, false));
	}

	private boolean isOf(String beanName, String cluster) {
		return BeanFactoryAnnotationUtils.isQualifierMatch(cluster::equals, beanName, this.beanFactory);
	}

	/**
	 * Finds the bean for the default cluster among the beans that do not belong to
	 * another cluster.
	 * @param <T> the type
	 * @param type the type
	 * @param clusters the names of the other clusters
	 * @param byDefault the supplier that is called if no bean belongs to another cluster
	 * @return the bean; {@code null} if each bean belongs to another cluster, or if the
	 * supplier returns {@code null}
	 */
	<T> @Nullable T byDefault(Class<T> type, Collection<String> clusters, Supplier<@Nullable T> byDefault) {
		List<String> candidates = candidates(type).toList();
		List<String> own = candidates.stream().filter((name) -> !isOfAny(name, clusters)).toList();
		if (own.size() == candidates.size()) {
			return byDefault.get();
		}
		return own.isEmpty() ? null : this.beanFactory.getBean(preferred(type, own), type);
	}

	/**
	 * Finds the candidates for an injection point without a qualifier, provided that all
	 * of them belong to named clusters.
	 * @param type the type
	 * @param clusters the names of the clusters
	 * @return the names of the beans; empty if one of them belongs to the default
	 * cluster, or if there is no bean
	 */
	public List<String> onlyOf(Class<?> type, Collection<String> clusters) {
		List<String> candidates = candidates(type).toList();
		return candidates.stream().allMatch((name) -> isOfAny(name, clusters)) ? candidates : List.of();
	}

	private Stream<String> candidates(Class<?> type) {
		return all(type).filter((name) -> definition(name).map(ClusterBeans::isCandidate).orElse(true));
	}

	private static boolean isCandidate(BeanDefinition definition) {
		return definition.isAutowireCandidate()
				&& (!(definition instanceof AbstractBeanDefinition bean) || bean.isDefaultCandidate());
	}

	private boolean isOfAny(String beanName, Collection<String> clusters) {
		return clusters.stream().anyMatch((cluster) -> isOf(beanName, cluster));
	}

	private String preferred(Class<?> type, List<String> names) {
		if (names.size() == 1) {
			return names.get(0);
		}
		List<String> primary = with(names, BeanDefinition::isPrimary);
		List<String> regular = with(names, (definition) -> !definition.isFallback());
		if (primary.size() == 1) {
			return primary.get(0);
		}
		if (primary.isEmpty() && regular.size() == 1) {
			return regular.get(0);
		}
		throw new NoUniqueBeanDefinitionException(type, names);
	}

	private List<String> with(List<String> names, Predicate<BeanDefinition> condition) {
		return names.stream().filter((name) -> definition(name).filter(condition).isPresent()).toList();
	}

	private Optional<BeanDefinition> definition(String name) {
		BeanFactory owner = this.beanFactory;
		while (owner instanceof ConfigurableListableBeanFactory configurable && !configurable.containsLocalBean(name)) {
			owner = configurable.getParentBeanFactory();
		}
		// A singleton that was registered as an object has no definition.
		return (owner instanceof ConfigurableListableBeanFactory configurable
				&& configurable.containsBeanDefinition(name)) ? Optional.of(configurable.getMergedBeanDefinition(name))
						: Optional.empty();
	}

}
