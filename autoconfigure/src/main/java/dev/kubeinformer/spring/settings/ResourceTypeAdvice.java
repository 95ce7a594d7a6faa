package dev.kubeinformer.spring.settings;

import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.UnknownResourceTypeException;

/**
 * Advice for a class that does not map to a Kubernetes resource.
 */
public final class ResourceTypeAdvice {

	private static final String MODELS = "io.kubernetes.client.";

	private ResourceTypeAdvice() {
	}

	/**
	 * Returns the remedy for the developer.
	 * @param ex the exception for the class
	 * @return one or more sentences
	 */
	public static String of(UnknownResourceTypeException ex) {
		Class<?> objectClass = ex.getObjectClass();
		if (objectClass.isAnnotationPresent(KubernetesResource.class)) {
			return "Correct the annotation: group, version and plural are those of the CustomResourceDefinition.";
		}
		if (objectClass == DynamicKubernetesObject.class) {
			return "Name the resource by @InformerHandler(resource = \"widgets.v1.example.com\") or "
					+ "@InformerSource(resource = \"...\"). A reconciler needs a class with @KubernetesResource instead.";
		}
		if (objectClass.getName().startsWith(MODELS)) {
			return ("Use the class of a resource that can be listed and watched, such as V1Pod; '%s' cannot.")
				.formatted(objectClass.getSimpleName());
		}
		return ("If it is a custom resource, annotate '%s' with "
				+ "@KubernetesResource(group = \"...\", version = \"...\", plural = \"...\"), "
				+ "as its CustomResourceDefinition names them. Otherwise use a model class of the official client.")
			.formatted(objectClass.getName());
	}

}
