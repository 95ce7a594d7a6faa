package dev.kubeinformer.spring.settings;

import java.lang.reflect.Modifier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;

/**
 * What a parameter or type argument says about objects: their model class, and whether
 * they are meant whole or by their {@link Metadata} only.
 *
 * @param objectClass the model class of the whole objects
 * @param metadata whether only their metadata is meant
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
	 * Returns the model that a type names. That of metadata without a class is the one of
	 * {@link DynamicKubernetesObject}, whose resource must be named otherwise.
	 * @param type the type, such as that of {@code Metadata<V1Secret>}
	 * @return the model; {@code null} if the type leaves the class open
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
	 * Returns whether a type is that of metadata, of whatever class.
	 * @param type the type
	 * @return whether it is
	 */
	public static boolean isMetadata(ResolvableType type) {
		return type.resolve() == Metadata.class;
	}

	/**
	 * Returns whether a type leaves the class of the objects open.
	 * @param type the type
	 * @return whether no class is known of whole objects or of those that are described
	 */
	public static boolean isOpen(ResolvableType type) {
		Class<?> named = (isMetadata(type) ? type.getGeneric(0) : type).resolve(KubernetesObject.class);
		return named == KubernetesObject.class;
	}

	/**
	 * Returns whether this is metadata of objects whose class is not known.
	 * @return whether their resource must be named
	 */
	public boolean isOpen() {
		return this.metadata && this.objectClass == DynamicKubernetesObject.class;
	}

	/**
	 * Returns the type as it is written in a message.
	 * @return the name of the class, within {@code Metadata<>} if only that is meant
	 */
	@Override
	public String toString() {
		return this.metadata ? "Metadata<%s>".formatted(this.objectClass.getName()) : this.objectClass.getName();
	}

}
