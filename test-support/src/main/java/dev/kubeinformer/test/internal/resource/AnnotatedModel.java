package dev.kubeinformer.test.internal.resource;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;

import org.jspecify.annotations.Nullable;

/**
 * Resource that a model class names with the annotation {@code @KubernetesResource}. The
 * annotation is found by its name. The annotation class is in a module whose tests use
 * the embedded API, so this module cannot depend on that one.
 *
 * @param group the API group
 * @param version the version
 * @param plural the plural
 */
record AnnotatedModel(String group, String version, String plural) {

	private static final String ANNOTATION = "dev.kubeinformer.resource.KubernetesResource";

	/**
	 * Returns the resource of a class.
	 * @param model the class
	 * @return the resource; {@code null} if the class has no such annotation
	 */
	static @Nullable AnnotatedModel of(Class<?> model) {
		for (Annotation annotation : model.getAnnotations()) {
			if (annotation.annotationType().getName().equals(ANNOTATION)) {
				return new AnnotatedModel(attribute(annotation, "group"), attribute(annotation, "version"),
						attribute(annotation, "plural"));
			}
		}
		return null;
	}

	private static String attribute(Annotation annotation, String name) {
		try {
			return (String) annotation.annotationType().getMethod(name).invoke(annotation);
		}
		catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException("Cannot read '%s' of %s".formatted(name, annotation), ex);
		}
	}

}
