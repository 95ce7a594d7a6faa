package dev.kubeinformer.definitions;

import java.util.Comparator;
import java.util.List;

import io.kubernetes.client.openapi.models.V1CustomResourceConversion;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionNames;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Definition of one kind, of the classes of its versions.
 */
final class Definition {

	private final List<DefinitionVersion> versions;

	/**
	 * Creates the definition.
	 * @param versions the versions, at least one
	 */
	Definition(List<DefinitionVersion> versions) {
		this.versions = versions.stream()
			.sorted(Comparator.comparing((version) -> version.resource().version(), VersionOrder.NEWEST_FIRST))
			.toList();
	}

	V1CustomResourceDefinition generate() {
		DefinitionVersion first = this.versions.get(0);
		String[] shortNames = first.resource().shortNames();
		String[] categories = first.resource().categories();
		V1CustomResourceDefinitionNames names = new V1CustomResourceDefinitionNames().plural(first.resource().plural())
			.singular(first.singular())
			.kind(first.kind())
			.listKind(first.kind() + "List")
			.shortNames((shortNames.length > 0) ? List.of(shortNames) : null)
			.categories((categories.length > 0) ? List.of(categories) : null);
		V1CustomResourceDefinitionSpec spec = new V1CustomResourceDefinitionSpec().group(first.resource().group())
			.names(names)
			.scope(first.scope())
			.versions(this.versions.stream().map(DefinitionVersion::generate).toList());
		if (this.versions.size() > 1) {
			spec.setConversion(new V1CustomResourceConversion().strategy("None"));
		}
		return new V1CustomResourceDefinition().apiVersion("apiextensions.k8s.io/v1")
			.kind("CustomResourceDefinition")
			.metadata(metadata(first.resource().plural() + "." + first.resource().group()))
			.spec(spec);
	}

	private static V1ObjectMeta metadata(String name) {
		return new V1ObjectMeta().name(name).annotations(null).finalizers(null).labels(null).ownerReferences(null);
	}

}
