package dev.kubeinformer.spring.autoconfigure.model;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Finds beans by the model in the type argument of their definitions, without creating
 * them. For a scoped bean, the type is read from the definition of the proxy's target,
 * and the name of the proxy is returned.
 *
 * @param beanFactory the beans of the context and of its parents
 */
record TypedBeans(ConfigurableListableBeanFactory beanFactory) {

	/**
	 * Finds the beans of this context with any model.
	 * @param type their type
	 * @return their names
	 */
	List<String> local(Class<?> type) {
		return visible(this.beanFactory.getBeanNamesForType(type, true, false));
	}

	/**
	 * Finds all beans, including those of parent contexts.
	 * @param type their type
	 * @return their names
	 */
	List<String> all(Class<?> type) {
		return visible(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, type, true, false));
	}

	/**
	 * Finds the beans of a model, including those of parent contexts.
	 * @param type their type
	 * @param model the model
	 * @return their names
	 */
	List<String> names(Class<?> type, ModelType model) {
		return visible(
				BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, typed(type, model), true, false));
	}

	/**
	 * Returns beans. Omits beans whose bean method returned {@code null}.
	 * @param <B> their type
	 * @param names the names of beans of that type
	 * @return the beans by name
	 */
	@SuppressWarnings("unchecked") // The caller knows the type.
	<B> Map<String, B> get(List<String> names) {
		Map<String, B> beans = new LinkedHashMap<>();
		for (String name : names) {
			Object bean = this.beanFactory.getBean(name);
			// Spring's placeholder for a null bean equals null.
			if (!bean.equals(null)) {
				beans.put(name, (B) bean);
			}
		}
		return beans;
	}

	/**
	 * Returns beans in the order set by their bean methods, their classes or the beans
	 * themselves.
	 * @param <B> their type
	 * @param names the names of beans of that type
	 * @return the beans by name
	 */
	<B> Map<String, B> ordered(List<String> names) {
		Map<String, B> beans = get(names);
		Map<Object, Object[]> sources = new IdentityHashMap<>();
		beans.forEach((name, bean) -> sources.put(bean, orderSources(name)));
		Map<String, B> ordered = new LinkedHashMap<>();
		beans.entrySet()
			.stream()
			.sorted(Map.Entry
				.comparingByValue(AnnotationAwareOrderComparator.INSTANCE.withSourceProvider(sources::get)))
			.forEach((entry) -> ordered.put(entry.getKey(), entry.getValue()));
		return ordered;
	}

	private Object[] orderSources(String bean) {
		RootBeanDefinition definition = definition(bean);
		if (definition == null) {
			return new Object[0];
		}
		Object order = definition.getAttribute(AbstractBeanDefinition.ORDER_ATTRIBUTE);
		return Stream
			.of((order instanceof Integer number) ? (Ordered) () -> number : null,
					definition.getResolvedFactoryMethod())
			.filter(Objects::nonNull)
			.toArray();
	}

	/**
	 * Returns the model of a bean.
	 * @param bean the name of the bean
	 * @param type its type
	 * @return the model
	 * @throws InformerConfigurationException if its type does not determine the model
	 */
	ModelType model(String bean, Class<?> type) {
		ResolvableType declared = declared(bean);
		ResolvableType made = declared.as(FactoryBean.class);
		ResolvableType named = ((made != ResolvableType.NONE) ? made.getGeneric(0) : declared).as(type).getGeneric(0);
		ModelType model = ModelType.isOpen(named) ? null : ModelType.of(named);
		if (model == null || !this.beanFactory.isTypeMatch(target(bean), typed(type, model))) {
			throw new InformerConfigurationException(
					"Bean '%s' has the type '%s', which does not determine its resource".formatted(bean, declared),
					("Declare the full generic type with a model class, such as '%s<V1Pod>', as the return type of its "
							+ "bean method, or make it a class that implements that.")
						.formatted(type.getSimpleName()));
		}
		return model;
	}

	/**
	 * Returns whether a bean exists already and is not scoped.
	 * @param bean the name of the bean
	 * @return {@code true} if obtaining the bean does not create it
	 */
	boolean isPresent(String bean) {
		return this.beanFactory.containsSingleton(bean) && target(bean).equals(bean);
	}

	private static List<String> visible(String... names) {
		return Stream.of(names)
			.map((name) -> ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name)
			.distinct()
			.toList();
	}

	private static ResolvableType typed(Class<?> type, ModelType model) {
		return ResolvableType.forClassWithGenerics(type,
				model.metadata() ? ResolvableType.forClassWithGenerics(Metadata.class, model.objectClass())
						: ResolvableType.forClass(model.objectClass()));
	}

	private ResolvableType declared(String bean) {
		RootBeanDefinition definition = definition(bean);
		if (definition != null && definition.getResolvableType() != ResolvableType.NONE) {
			return definition.getResolvableType();
		}
		Class<?> type = this.beanFactory.getType(bean, false);
		return (type != null) ? ResolvableType.forClass(type) : ResolvableType.NONE;
	}

	private @Nullable RootBeanDefinition definition(String bean) {
		try {
			return (this.beanFactory.getMergedBeanDefinition(target(bean)) instanceof RootBeanDefinition root) ? root
					: null;
		}
		catch (NoSuchBeanDefinitionException ex) {
			// The singleton was registered as an object, so it has no definition.
			return null;
		}
	}

	private String target(String bean) {
		String target = ScopedProxyUtils.getTargetBeanName(bean);
		return this.beanFactory.containsBean(target) ? target : bean;
	}

}
