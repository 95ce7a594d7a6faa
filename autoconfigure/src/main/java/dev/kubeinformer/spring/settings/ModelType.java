package dev.kubeinformer.spring.settings;

import java.lang.reflect.Modifier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;

/**
 * Model of the objects that a parameter or a type argument names: a model class, and
 * whether the objects are complete or only their {@link Metadata}.
 *
 * @param objectClass the model class of the complete objects
 * @param metadata {@code true} for only the metadata of the objects
 */
public record ModelType(Class<? extends KubernetesObject> objectClass, boolean metadata) {

	/**
	 * Returns the model of a resource.
	 * @param type the resource
	 * @return its model
	 */
	public static ModelType of(ResourceType<?> type) {
		return new ModelType(type.describedClass(), type.isMetadata());
	}

	/**
	 * Returns the model of a type. {@code Metadata} without a type argument maps to
	 * {@link DynamicKubernetesObject}. In this case, the resource must be named
	 * separately.
	 * @param type the type, such as {@code Metadata<V1Secret>}
	 * @return the model; {@code null} if the type does not determine the class
	 */
	public static @Nullable ModelType of(ResolvableType type) {
		boolean metadata = isMetadata(type);
		if (metadata && isOpen(type)) {
			return new ModelType(DynamicKubernetesObject.class, true);
		}
		Class<?> named = metadata ? type.getGeneric(0).resolve() : type.resolve();
		return (named == null || named == Metadata.class || Modifier.isAbstract(named.getModifiers())
				|| !KubernetesObject.class.isAssignableFrom(named)) ? null
						: new ModelType(named.asSubclass(KubernetesObject.class), metadata);
	}

	/**
	 * Returns whether a type is {@link Metadata} of any class.
	 * @param type the type
	 * @return {@code true} for metadata
	 */
	public static boolean isMetadata(ResolvableType type) {
		return type.resolve() == Metadata.class;
	}

	/**
	 * Returns whether a type does not determine the class of the objects.
	 * @param type the type
	 * @return {@code true} if the class of the objects is unknown, including the class
	 * {@code T} of {@code Metadata<T>}
	 */
	public static boolean isOpen(ResolvableType type) {
		Class<?> named = (isMetadata(type) ? type.getGeneric(0) : type).resolve(KubernetesObject.class);
		return named == KubernetesObject.class;
	}

	/**
	 * Returns whether this model is metadata of objects with an unknown class.
	 * @return {@code true} if the resource must be named separately
	 */
	public boolean isOpen() {
		return this.metadata && this.objectClass == DynamicKubernetesObject.class;
	}

	/**
	 * Returns the form of the type in messages.
	 * @return the name of the class, within {@code Metadata<>} for metadata
	 */
	@Override
	public String toString() {
		return this.metadata ? "Metadata<%s>".formatted(this.objectClass.getName()) : this.objectClass.getName();
	}

}
