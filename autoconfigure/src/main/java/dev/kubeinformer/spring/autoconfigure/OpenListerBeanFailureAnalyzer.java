package dev.kubeinformer.spring.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;

import dev.kubeinformer.spring.inject.ClusterInjection;
import dev.kubeinformer.spring.inject.InjectionBeans;

/**
 * Failure analyzer for an application's lister and informer beans that are declared
 * without a concrete type argument. Their type does not determine the resource, so Spring
 * does not prefer them to the starter's beans.
 */
class OpenListerBeanFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoUniqueBeanDefinitionException>
		implements Ordered {

	private static final Set<String> OURS = Set.of(InjectionBeans.LISTER, InjectionBeans.INFORMER,
			InjectionBeans.LISTERS);

	@Override
	public int getOrder() {
		// Run before Boot's analyzer, which would recommend marking the starter's bean as
		// primary.
		return 0;
	}

	private static boolean isOurs(String name) {
		return OURS.contains(name) || name.startsWith(ClusterInjection.LISTER)
				|| name.startsWith(ClusterInjection.INFORMER);
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause,
			@Nullable String description) {
		Collection<String> found = cause.getBeanNamesFound();
		if (found == null || description == null || found.stream().noneMatch(OpenListerBeanFailureAnalyzer::isOurs)) {
			return null;
		}
		List<String> others = found.stream().filter((name) -> !isOurs(name)).sorted().toList();
		return new FailureAnalysis(
				"%s matches the beans '%s', whose types do not determine their resource".formatted(description,
						String.join("', '", others)),
				"Declare the full generic type as return type of the bean method, such as "
						+ "'Lister<V1Pod>': it is then preferred where it matches, and ignored elsewhere.",
				cause);
	}

}
