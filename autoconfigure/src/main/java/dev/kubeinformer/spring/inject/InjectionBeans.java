package dev.kubeinformer.spring.inject;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterListers;

/**
 * Registers the beans that provide listers and informers for any resource, such as
 * {@code Lister<V1Pod>}. The type argument of these beans is open, so Spring prefers a
 * bean with the exact type. If the injection point does not request a single object, the
 * factory methods of the beans return {@code null}, which Spring skips.
 * <p>
 * The beans are registered after all conditions have been evaluated. Otherwise conditions
 * of other libraries, such as {@code @ConditionalOnBean}, would find these beans for
 * every resource. Internal to the starter.
 */
public final class InjectionBeans implements BeanDefinitionRegistryPostProcessor {

	/** Name of the bean for listers. */
	public static final String LISTER = "kubernetesLister";

	/** Name of the bean for informers. */
	public static final String INFORMER = "kubernetesSharedInformer";

	/** Name of the bean for the listers of several clusters. */
	public static final String LISTERS = "kubernetesClusterListers";

	private final boolean enabled;

	/**
	 * Creates an instance.
	 * @param enabled {@code true} if informers are enabled. If {@code false}, Spring
	 * prefers any other matching bean to these beans
	 */
	public InjectionBeans(boolean enabled) {
		this.enabled = enabled;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		ConfigurableListableBeanFactory beanFactory = (ConfigurableListableBeanFactory) registry;
		register(beanFactory, registry, LISTER, "lister");
		register(beanFactory, registry, INFORMER, "informer");
		register(beanFactory, registry, LISTERS, "listers");
	}

	private void register(ConfigurableListableBeanFactory beanFactory, BeanDefinitionRegistry registry, String name,
			String method) {
		// A context that was processed ahead of time already has the definitions, and the
		// beans of a parent context also inject into its children.
		if (beanFactory.containsBean(name)) {
			return;
		}
		RootBeanDefinition definition = new RootBeanDefinition(InjectionBeans.class);
		definition.setFactoryMethodName(method);
		definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
		definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
		definition.setFallback(!this.enabled);
		registry.registerBeanDefinition(name, definition);
	}

	static <T extends KubernetesObject> @Nullable Lister<T> lister(InjectedSource source) {
		return source.lister(null);
	}

	static <T extends KubernetesObject> @Nullable Informer<T> informer(InjectedSource source) {
		return source.informer(null);
	}

	static <T extends KubernetesObject> @Nullable ClusterListers<T> listers(InjectedSource source) {
		return source.several();
	}

}
