package dev.kubeinformer.definitions;

import java.util.Collection;
import java.util.List;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;

/**
 * CustomResourceDefinitions of classes with
 * {@link dev.kubeinformer.resource.KubernetesResource}. Classes of one group and kind
 * become versions of one definition. Immutable and thread-safe.
 */
public final class CustomResourceDefinitions {

	private final List<V1CustomResourceDefinition> definitions;

	private CustomResourceDefinitions(List<V1CustomResourceDefinition> definitions) {
		this.definitions = definitions;
	}

	/**
	 * Generates the definitions of classes.
	 * @param types the classes
	 * @return the definitions
	 */
	public static CustomResourceDefinitions of(Class<?>... types) {
		return of(List.of(types));
	}

	/**
	 * Generates the definitions of classes.
	 * @param types the classes
	 * @return the definitions
	 */
	public static CustomResourceDefinitions of(Collection<Class<?>> types) {
		throw new UnsupportedOperationException("Not generated yet: " + types);
	}

	/**
	 * Returns the definitions.
	 * @return the definitions, sorted by name
	 */
	public List<V1CustomResourceDefinition> all() {
		return this.definitions;
	}

	/**
	 * Writes the definitions as input for {@code kubectl apply}.
	 * @return the YAML documents
	 */
	public String toYaml() {
		throw new UnsupportedOperationException("Not written yet");
	}

}
