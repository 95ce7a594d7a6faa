package dev.kubeinformer.spring.bean;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Finds the single model class that an annotation and the parameters of methods name.
 * Internal to the starter.
 */
public final class NamedModelClass {

	private NamedModelClass() {
	}

	/**
	 * Finds the model class.
	 * @param given the class in the annotation; {@code KubernetesObject} if the
	 * annotation does not set a class
	 * @param named the classes in parameters, including supertypes and type variables
	 * @return the model class; {@code null} if no class is named
	 * @throws DifferentClassesException if different classes are named
	 */
	public static @Nullable Class<? extends KubernetesObject> of(Class<? extends KubernetesObject> given,
			Collection<Class<?>> named) {
		Set<Class<?>> concrete = new LinkedHashSet<>(named);
		concrete.removeIf((type) -> Modifier.isAbstract(type.getModifiers()));
		if (given != KubernetesObject.class) {
			// Parameters may have a supertype of the class that the annotation sets.
			concrete.removeIf((type) -> type.isAssignableFrom(given));
			concrete.add(given);
		}
		if (concrete.size() > 1) {
			throw new DifferentClassesException(concrete);
		}
		if (concrete.isEmpty()) {
			return null;
		}
		Class<? extends KubernetesObject> objectClass = concrete.iterator().next().asSubclass(KubernetesObject.class);
		for (Class<?> type : named) {
			if (!type.isAssignableFrom(objectClass)) {
				throw new DifferentClassesException(List.of(objectClass, type));
			}
		}
		return objectClass;
	}

	/**
	 * Thrown when different classes are named.
	 */
	public static final class DifferentClassesException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient Collection<Class<?>> classes;

		DifferentClassesException(Collection<Class<?>> classes) {
			super("Several model classes: " + classes);
			this.classes = List.copyOf(classes);
		}

		/**
		 * Returns the classes.
		 * @return the classes
		 */
		public Collection<Class<?>> getClasses() {
			return this.classes;
		}

	}

}
