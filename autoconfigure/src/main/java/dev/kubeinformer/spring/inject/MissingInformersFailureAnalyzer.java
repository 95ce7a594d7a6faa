package dev.kubeinformer.spring.inject;

import java.util.Set;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterListers;

/**
 * Failure analyzer for injection points of listers and informers in a context without the
 * auto-configuration of informers, such as the context of a test slice.
 */
class MissingInformersFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException>
		implements Ordered {

	private static final Set<Class<?>> TYPES = Set.of(Lister.class, Informer.class, SharedIndexInformer.class,
			SharedInformer.class, ClusterListers.class, Informers.class);

	private final BeanFactory beanFactory;

	MissingInformersFailureAnalyzer(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public int getOrder() {
		// Run before Boot's analyzer, which would recommend defining a bean.
		return -1;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		ResolvableType wanted = cause.getResolvableType();
		Class<?> type = (wanted != null) ? wanted.resolve() : null;
		if (wanted == null || description == null || type == null || !TYPES.contains(type) || hasInformers()) {
			return null;
		}
		return new FailureAnalysis(
				"%s requires a bean of type '%s', but this application context has no informers, because '%s' is not part of it"
					.formatted(description, shown(wanted), "InformerAutoConfiguration"),
				"""
						In a test slice such as @WebMvcTest, do one of these:
						- Add @EmbeddedKubernetesTest to the test class. It is in 'dev.kubeinformer:kubernetes-informer-spring-boot-starter-test', and an API server in memory fills the cache.
						- Add the field '@MockitoBean %s %s' to the test class.
						- Add @ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class }) to the test class, and configure the cluster.
						In an application, do not exclude 'InformerAutoConfiguration'."""
					.formatted(shown(wanted), type.getSimpleName().toLowerCase(java.util.Locale.ROOT)),
				cause);
	}

	private boolean hasInformers() {
		return this.beanFactory instanceof ListableBeanFactory beans && BeanFactoryUtils
			.beanNamesForTypeIncludingAncestors(beans, InjectedSource.class, true, false).length > 0;
	}

	private static String shown(ResolvableType type) {
		return type.toString().replaceAll("[a-zA-Z0-9_]+\\.", "");
	}

}
