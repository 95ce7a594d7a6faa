package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.NamedModelClass;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Finds the model of a handler from its annotation and the types in its declarations.
 */
public final class HandlerModel {

	private HandlerModel() {
	}

	/**
	 * Finds the model of a handler.
	 * @param bean the bean
	 * @param types the types of objects in its declarations
	 * @return the model
	 */
	public static ModelType of(AnnotatedBean<InformerHandler> bean, Collection<ResolvableType> types) {
		Set<Class<?>> whole = new LinkedHashSet<>();
		Set<Class<?>> described = new LinkedHashSet<>();
		boolean metadata = false;
		for (ResolvableType type : types) {
			if (ModelType.isMetadata(type)) {
				metadata = true;
				ModelType model = metadata(bean, type);
				if (!model.isOpen()) {
					described.add(model.objectClass());
				}
			}
			else {
				whole.add(type.toClass());
			}
		}
		return metadata ? metadata(bean, described, whole) : new ModelType(whole(bean, whole), false);
	}

	private static ModelType metadata(AnnotatedBean<InformerHandler> bean, ResolvableType type) {
		ModelType model = ModelType.of(type);
		if (model == null) {
			throw new InvalidHandlerException(bean,
					"handles '%s', which does not determine the resource of the metadata".formatted(type),
					"Write the model class as type argument, such as 'Metadata<V1Pod>'.");
		}
		return model;
	}

	private static ModelType metadata(AnnotatedBean<InformerHandler> bean, Set<Class<?>> described,
			Set<Class<?>> whole) {
		Class<? extends KubernetesObject> named = named(bean, described);
		ModelType model = new ModelType((named != null) ? named : DynamicKubernetesObject.class, true);
		// A parameter of a supertype, such as KubernetesObject, accepts metadata, too.
		whole.stream().filter((type) -> !Modifier.isAbstract(type.getModifiers())).findFirst().ifPresent((type) -> {
			throw new InvalidHandlerException(bean,
					"handles whole objects and metadata: '%s' and '%s'".formatted(type.getName(), model),
					"Write one @InformerHandler for each; a handler has one informer, queue and sync.");
		});
		return model;
	}

	private static Class<? extends KubernetesObject> whole(AnnotatedBean<InformerHandler> bean,
			Collection<Class<?>> types) {
		Class<? extends KubernetesObject> objectClass = named(bean, types);
		if (objectClass == null) {
			throw new InvalidHandlerException(bean, "does not say which resource it handles",
					"Name the model class, such as @InformerHandler(V1Pod.class), or make it the parameter of a method.");
		}
		return objectClass;
	}

	private static @Nullable Class<? extends KubernetesObject> named(AnnotatedBean<InformerHandler> bean,
			Collection<Class<?>> types) {
		try {
			return NamedModelClass.of(given(bean), types);
		}
		catch (NamedModelClass.DifferentClassesException ex) {
			throw ambiguous(bean, ex.getClasses());
		}
	}

	/**
	 * Creates an exception for a handler whose methods name several classes.
	 * @param bean the bean
	 * @param types the classes
	 * @return the exception
	 */
	public static InvalidHandlerException ambiguous(AnnotatedBean<InformerHandler> bean, Collection<Class<?>> types) {
		TreeSet<String> names = new TreeSet<>();
		types.forEach((type) -> names.add("'%s'".formatted(type.getName())));
		return new InvalidHandlerException(bean, "handles more than one type: " + String.join(" and ", names),
				"Write one @InformerHandler for each type; a handler has one informer, queue and sync.");
	}

	/**
	 * Returns the model class in the annotation.
	 * @param bean the bean
	 * @return the class; {@code KubernetesObject} if it is not set
	 */
	public static Class<? extends KubernetesObject> given(AnnotatedBean<InformerHandler> bean) {
		Class<? extends KubernetesObject> given = bean.annotation().value();
		if (given == Metadata.class) {
			throw new InvalidHandlerException(bean, "names 'Metadata' instead of the class of the objects",
					"Name that class, such as @InformerHandler(V1Pod.class), and use "
							+ "'Metadata<V1Pod>' as parameter of its methods or as type argument of "
							+ "'ResourceEventHandler'.");
		}
		return given;
	}

}
