package dev.kubeinformer.spring.inject;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

import dev.kubeinformer.informer.Informer;

/**
 * Defines the beans for injecting listers and informers of one cluster. The qualifier of
 * these beans is the name of the cluster. They are not default candidates, because
 * injection points without a qualifier use the default cluster. Internal to the starter.
 */
public final class ClusterInjection {

	/** Prefix of the bean name of a cluster's listers. */
	public static final String LISTER = InjectionBeans.LISTER + ".";

	/** Prefix of the bean name of a cluster's informers. */
	public static final String INFORMER = InjectionBeans.INFORMER + ".";

	private ClusterInjection() {
	}

	/**
	 * Registers the bean definitions of one cluster unless they exist. They exist, for
	 * example, in a context that was processed ahead of time.
	 * @param registry the registry
	 * @param cluster the name of the cluster
	 */
	public static void register(BeanDefinitionRegistry registry, String cluster) {
		register(registry, LISTER + cluster, prototype(define(ClusterInjection.class, "lister", cluster)));
		register(registry, INFORMER + cluster, prototype(define(ClusterInjection.class, "informer", cluster)));
	}

	private static RootBeanDefinition prototype(RootBeanDefinition definition) {
		definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
		return definition;
	}

	/**
	 * Registers a bean definition unless it exists.
	 * @param registry the registry
	 * @param name the name of the bean
	 * @param definition the definition
	 */
	public static void register(BeanDefinitionRegistry registry, String name, RootBeanDefinition definition) {
		if (!registry.containsBeanDefinition(name)) {
			registry.registerBeanDefinition(name, definition);
		}
	}

	/**
	 * Defines a bean of one cluster.
	 * @param owner the class of the method
	 * @param method the name of the static factory method, whose first parameter is the
	 * name of the cluster
	 * @param cluster the name of the cluster
	 * @return the definition
	 */
	public static RootBeanDefinition define(Class<?> owner, String method, String cluster) {
		RootBeanDefinition definition = new RootBeanDefinition(owner);
		definition.setFactoryMethodName(method);
		definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, cluster);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, cluster));
		definition.setDefaultCandidate(false);
		definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
		return definition;
	}

	static <T extends KubernetesObject> @Nullable Lister<T> lister(String cluster, InjectedSource source) {
		return source.lister(cluster);
	}

	static <T extends KubernetesObject> @Nullable Informer<T> informer(String cluster, InjectedSource source) {
		return source.informer(cluster);
	}

}
