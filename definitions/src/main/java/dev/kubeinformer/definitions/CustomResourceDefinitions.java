package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;

/**
 * CustomResourceDefinitions of classes with
 * {@link dev.kubeinformer.resource.KubernetesResource}. Classes of one group and kind
 * become versions of one definition. Immutable and thread-safe.
 */
public final class CustomResourceDefinitions {

	private final List<V1CustomResourceDefinition> definitions;

	private CustomResourceDefinitions(List<V1CustomResourceDefinition> definitions) {
		this.definitions = List.copyOf(definitions);
	}

	/**
	 * Generates the definitions of classes.
	 * @param types the classes
	 * @return the definitions
	 * @throws InvalidDefinitionException if a class does not have a definition that
	 * kube-apiserver accepts
	 */
	public static CustomResourceDefinitions of(Class<?>... types) {
		return of(List.of(types));
	}

	/**
	 * Generates the definitions of classes.
	 * @param types the classes
	 * @return the definitions
	 * @throws InvalidDefinitionException if a class does not have a definition that
	 * kube-apiserver accepts
	 */
	public static CustomResourceDefinitions of(Collection<? extends Class<?>> types) {
		Map<String, List<DefinitionVersion>> kinds = new TreeMap<>();
		types.stream().distinct().map(DefinitionVersion::of).forEach((version) -> {
			String kind = version.kind() + "." + version.resource().group();
			kinds.computeIfAbsent(kind, (key) -> new ArrayList<>()).add(version);
		});
		List<Definition> definitions = kinds.values().stream().map(Definition::new).toList();
		NameCollisions.check(definitions);
		return new CustomResourceDefinitions(definitions.stream()
			.map(Definition::generate)
			.sorted(Comparator.comparing((definition) -> definition.getMetadata().getName()))
			.toList());
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
		return DefinitionYaml.write(this.definitions);
	}

}
