package dev.kubeinformer.spring.autoconfigure.aot;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.autoconfigure.model.InformerIndex;
import dev.kubeinformer.spring.autoconfigure.model.InformerTransform;
import dev.kubeinformer.spring.cluster.ClusterListers;

/**
 * Finds the model classes in beans: parameters of handler methods and type arguments of
 * injection points. Problems are reported when the application starts.
 */
final class ModelClassFinder {

	private static final Logger logger = LoggerFactory.getLogger(ModelClassFinder.class);

	private static final List<Class<?>> READERS = List.of(Lister.class, SharedInformer.class, ClusterListers.class);

	/**
	 * Interfaces whose type argument is the class of the objects that a bean receives.
	 */
	private static final List<Class<?>> IMPLEMENTED = List.of(ResourceEventHandler.class, InformerTransform.class,
			InformerIndex.class);

	/** Annotations of methods whose parameters are objects. */
	private static final List<Class<? extends Annotation>> CALLED = List.of(OnAdd.class, OnUpdate.class, OnDelete.class,
			Reconcile.class, OnCleanup.class, Watches.class);

	/** Annotations whose value is a model class. */
	private static final List<Class<? extends Annotation>> NAMING = List.of(InformerHandler.class, Reconciler.class,
			Owns.class);

	private static final int DEEPEST = 5;

	private final Set<Class<?>> models = new LinkedHashSet<>();

	private final Set<Class<?>> described = new LinkedHashSet<>();

	/**
	 * Returns the classes whose objects are read or written.
	 * @return the classes
	 */
	Set<Class<?>> models() {
		return this.models;
	}

	/**
	 * Returns the classes for which only metadata is read.
	 * @return the classes, which a native image must be able to load by name
	 */
	Set<Class<?>> described() {
		return this.described;
	}

	/**
	 * Inspects a bean. Skips members with missing classes, because a bean may be
	 * conditional on such a class.
	 * @param bean the bean
	 */
	void inspect(RegisteredBean bean) {
		guard(bean.getBeanName(),
				() -> inspect(bean.getBeanType(), ClassUtils.getUserClass(bean.getBeanClass()), bean.getBeanName()));
	}

	private void inspect(ResolvableType type, Class<?> beanClass, String name) {
		ResolvableType owner = type.hasGenerics() ? type : ResolvableType.forClass(beanClass);
		guard(name, () -> addNamed(MergedAnnotations.from(beanClass, SearchStrategy.TYPE_HIERARCHY,
				RepeatableContainers.standardRepeatables())));
		IMPLEMENTED.forEach((each) -> guard(name, () -> addModel(owner.as(each).getGeneric(0))));
		guard(name,
				() -> ReflectionUtils.doWithFields(beanClass,
						(field) -> guard(field, () -> addRead(ResolvableType.forField(field, owner))),
						(field) -> !Modifier.isStatic(field.getModifiers())));
		guard(name, () -> inspectConstructors(beanClass));
		guard(name, () -> ReflectionUtils.doWithMethods(beanClass,
				(method) -> guard(method, () -> inspect(method, owner))));
	}

	private void inspectConstructors(Class<?> beanClass) {
		for (Constructor<?> constructor : beanClass.getDeclaredConstructors()) {
			for (int i = 0; i < constructor.getParameterCount(); i++) {
				ResolvableType parameter = ResolvableType.forConstructorParameter(constructor, i);
				guard(constructor, () -> addRead(parameter));
			}
		}
	}

	private static void guard(Object place, Runnable look) {
		try {
			look.run();
		}
		catch (TypeNotPresentException | LinkageError ex) {
			logger.debug("No model classes are looked for in {}: it refers to a class that is missing", place, ex);
		}
		catch (IllegalStateException ex) {
			// Spring wraps the error in this exception when it reads the members of a
			// class.
			if (!(ex.getCause() instanceof LinkageError)) {
				throw ex;
			}
			logger.debug("No model classes are looked for in {}: it refers to a class that is missing", place, ex);
		}
	}

	private void inspect(Method method, ResolvableType owner) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		boolean handles = CALLED.stream().anyMatch(annotations::isPresent);
		addNamed(annotations);
		for (int i = 0; i < method.getParameterCount(); i++) {
			ResolvableType parameter = ResolvableType.forMethodParameter(new MethodParameter(method, i), owner);
			if (handles) {
				addModel(parameter);
				if (parameter.toClass() != Metadata.class) {
					addModel(parameter.getGeneric(0));
				}
				if (parameter.toClass() == Owned.class) {
					// In Owned<Metadata<C>>, only metadata is cached, but complete
					// objects of class C are written.
					addModel(parameter.getGeneric(0).getGeneric(0));
				}
			}
			addRead(parameter);
		}
	}

	private void addNamed(MergedAnnotations annotations) {
		for (Class<? extends Annotation> type : NAMING) {
			annotations.stream(type)
				.forEach((annotation) -> addModel(ResolvableType.forClass(annotation.getClass("value"))));
		}
		annotations.stream(Reconciler.class)
			.flatMap((annotation) -> Stream.of(annotation.getClassArray("unowned")))
			.forEach((unowned) -> addModel(ResolvableType.forClass(unowned)));
	}

	private void addRead(ResolvableType type) {
		addRead(type, 0);
	}

	private void addRead(ResolvableType type, int depth) {
		for (Class<?> reader : READERS) {
			addModel(type.as(reader).getGeneric(0));
		}
		for (ResolvableType generic : generics(type, depth)) {
			addRead(generic, depth + 1);
		}
	}

	private static ResolvableType[] generics(ResolvableType type, int depth) {
		// Some types are infinitely nested: T extends Comparable<T>.
		return (depth < DEEPEST) ? type.getGenerics() : new ResolvableType[0];
	}

	private void addModel(ResolvableType type) {
		Class<?> model = type.resolve();
		if (model == Metadata.class) {
			Class<?> named = type.getGeneric(0).resolve();
			if (named != null) {
				this.described.add(named);
			}
			this.models.add(V1ObjectMeta.class);
		}
		else if (model != null && KubernetesObject.class.isAssignableFrom(model)
				&& !Modifier.isAbstract(model.getModifiers())) {
			// The tree of a dynamic object does not need hints, but the class of its
			// metadata does.
			this.models.add((model == DynamicKubernetesObject.class) ? V1ObjectMeta.class : model);
		}
	}

	/**
	 * Adds a class and the classes of its fields, because Gson sets the fields of an
	 * object by reflection.
	 * @param type the class
	 * @param referenced the set to add to
	 */
	static void addReferenced(Class<?> type, Set<Class<?>> referenced) {
		if (type.isPrimitive() || type.isArray() || type.getName().startsWith("java.") || !referenced.add(type)) {
			return;
		}
		for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
			for (Field field : current.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers())) {
					addReferenced(ResolvableType.forField(field), referenced, 0);
				}
			}
		}
	}

	private static void addReferenced(ResolvableType type, Set<Class<?>> referenced, int depth) {
		ResolvableType element = type;
		while (element.isArray()) {
			element = element.getComponentType();
		}
		addReferenced(element.toClass(), referenced);
		for (ResolvableType generic : generics(element, depth)) {
			addReferenced(generic, referenced, depth + 1);
		}
	}

}
