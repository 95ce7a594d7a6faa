package dev.kubeinformer.spring.autoconfigure.cluster;

import java.util.Collection;
import java.util.Set;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterEntries;
import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Failure analyzer for injection points whose {@code @Qualifier} is the name of a cluster that does not exist.
 */
class UnknownClusterQualifierFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException>
		implements Ordered {

	private static final Set<Class<?>> OF_A_CLUSTER = Set.of(Lister.class, Informer.class, SharedIndexInformer.class,
			SharedInformer.class, Informers.class, ApiClient.class, ClusterListers.class);

	private final Environment environment;

	UnknownClusterQualifierFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	public int getOrder() {
		// Before Boot's analyzer, which would recommend defining a bean.
		return 0;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		ResolvableType wanted = cause.getResolvableType();
		Class<?> type = (wanted != null) ? wanted.resolve() : null;
		String qualifier = qualifier(rootFailure);
		if (description == null || qualifier == null || type == null || !OF_A_CLUSTER.contains(type)) {
			return null;
		}
		Collection<String> names = ClusterEntries.read(this.environment).keySet();
		boolean several = type == ClusterListers.class;
		if (names.contains(qualifier) && !several) {
			return null;
		}
		String simpleName = type.getSimpleName();
		return new FailureAnalysis(several
				? "%s has @Qualifier(\"%s\"), but a '%s' belongs to several clusters and has no qualifier"
					.formatted(description, qualifier, simpleName)
				: "%s has @Qualifier(\"%s\"), but there is no such cluster, and no bean of type '%s' has that name"
					.formatted(description, qualifier, simpleName),
				several ? severalAction(qualifier, names) : action(qualifier, simpleName, names), cause);
	}

	private static String severalAction(String qualifier, Collection<String> names) {
		return "Name its clusters by @InformerSource(cluster = \"%s\"), or leave the qualifier out to have all. %s"
			.formatted(names.contains(qualifier) ? qualifier : "…", clusters(names));
	}

	private static String action(String qualifier, String type, Collection<String> names) {
		String similar = InformerIds.similar(qualifier, names);
		return ((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
				+ "Correct the name, say where the cluster is below 'kubernetes.clusters.%s', or define a bean of type '%s' that has it. %s"
					.formatted(qualifier, type, clusters(names));
	}

	private static String clusters(Collection<String> names) {
		return names.isEmpty() ? "There are no named clusters; the cluster of 'kubernetes.client' needs no qualifier."
				: "The clusters are '%s'; the cluster of 'kubernetes.client' needs no qualifier."
					.formatted(String.join("', '", names));
	}

	private static @Nullable String qualifier(Throwable failure) {
		InjectionPoint innermost = null;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof UnsatisfiedDependencyException unsatisfied
					&& unsatisfied.getInjectionPoint() != null) {
				innermost = unsatisfied.getInjectionPoint();
			}
		}
		if (innermost == null) {
			return null;
		}
		MergedAnnotation<Qualifier> annotation = MergedAnnotations.from(innermost.getAnnotations())
			.get(Qualifier.class);
		String value = annotation.isPresent() ? annotation.getString(MergedAnnotation.VALUE) : null;
		return StringUtils.hasText(value) ? value : null;
	}

}
