package dev.kubeinformer.spring.autoconfigure.aot;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * {@link BeanFactoryInitializationAotProcessor} that registers the model classes of
 * handlers and of injected listers and informers for reflection. It needs neither the
 * cluster nor the configuration, and does not create beans.
 */
class InformerAotProcessor implements BeanFactoryInitializationAotProcessor {

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		ModelClassFinder finder = new ModelClassFinder();
		for (String name : beanFactory.getBeanDefinitionNames()) {
			finder.inspect(RegisteredBean.of(beanFactory, name));
		}
		Set<Class<?>> models = finder.models();
		return models.isEmpty() ? null : (context, code) -> {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			register(hints, models, beanFactory);
			finder.described().forEach(hints::registerType);
		};
	}

	private static void register(ReflectionHints hints, Set<Class<?>> models,
			ConfigurableListableBeanFactory beanFactory) {
		Set<Class<?>> all = new LinkedHashSet<>();
		for (Class<?> model : models) {
			ModelClassFinder.addReferenced(model, all);
			String list = model.getName() + "List";
			if (ClassUtils.isPresent(list, beanFactory.getBeanClassLoader())) {
				all.add(ClassUtils.resolveClassName(list, beanFactory.getBeanClassLoader()));
			}
		}
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints, all.toArray(Class<?>[]::new));
		all.forEach((type) -> registerMaking(hints, type));
	}

	private static void registerMaking(ReflectionHints hints, Class<?> type) {
		if (type.isInterface() || type.isEnum()) {
			return;
		}
		if (KotlinDetector.isKotlinType(type)) {
			// The component methods of a data class show the order of the parameters of
			// its constructor.
			hints.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
		}
		if (!type.isRecord() && !Modifier.isAbstract(type.getModifiers())
				&& Arrays.stream(type.getDeclaredConstructors()).allMatch((each) -> each.getParameterCount() > 0)) {
			// Gson instantiates such a class without calling a constructor.
			hints.registerType(type, MemberCategory.UNSAFE_ALLOCATED);
		}
	}

}
