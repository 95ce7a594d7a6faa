package dev.kubeinformer.definitions;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1CustomResourceConversion;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionNames;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Definition of one kind, from the classes of its versions.
 */
final class Definition {

	private static final String APPROVAL = "api-approved.kubernetes.io";

	private final List<DefinitionVersion> versions;

	/**
	 * Creates the definition.
	 * @param versions the versions, at least one
	 * @throws InvalidDefinitionException if the versions do not fit together
	 */
	Definition(List<DefinitionVersion> versions) {
		this.versions = versions.stream()
			.sorted(Comparator.comparing((version) -> version.resource().version(), VersionOrder.NEWEST_FIRST))
			.toList();
		Map<String, DefinitionVersion> known = new HashMap<>();
		for (DefinitionVersion version : this.versions) {
			DefinitionVersion twin = known.put(version.resource().version(), version);
			if (twin != null) {
				throw invalid(version, "the class '%s' has the version '%s' of the same kind, too"
					.formatted(twin.type().getName(), version.resource().version()), "use another version or kind");
			}
			checkWithFirst(version);
		}
		checkStorage();
	}

	private void checkWithFirst(DefinitionVersion version) {
		DefinitionVersion first = this.versions.get(0);
		requireSame(version, "plural", first.resource().plural(), version.resource().plural());
		requireSame(version, "singular", first.singular(), version.singular());
		requireSame(version, "scope", first.scope(), version.scope());
		requireSame(version, "short names", List.of(first.resource().shortNames()),
				List.of(version.resource().shortNames()));
		requireSame(version, "categories", List.of(first.resource().categories()),
				List.of(version.resource().categories()));
	}

	private void requireSame(DefinitionVersion version, String role, Object expected, Object actual) {
		if (!expected.equals(actual)) {
			throw invalid(version,
					"its @KubernetesResource has the %s '%s', and that of '%s', a version of the same kind, has '%s'"
						.formatted(role, actual, this.versions.get(0).type().getName(), expected),
					"use the same, because all versions share one definition");
		}
	}

	private void checkStorage() {
		List<DefinitionVersion> stored = this.versions.stream().filter((each) -> each.resource().storage()).toList();
		if (stored.isEmpty()) {
			throw invalid(this.versions.get(0), "none of the versions %s is stored".formatted(names(this.versions)),
					"leave out storage = false in the @KubernetesResource of one of them");
		}
		if (stored.size() > 1) {
			throw invalid(stored.get(0), "the versions %s are stored, and only one can be".formatted(names(stored)),
					"set storage = false in the @KubernetesResource of all but one");
		}
	}

	private static String names(List<DefinitionVersion> versions) {
		return versions.stream()
			.map((each) -> "'%s'".formatted(each.resource().version()))
			.collect(Collectors.joining(", "));
	}

	private static InvalidDefinitionException invalid(DefinitionVersion version, String problem, String advice) {
		return new InvalidDefinitionException(version.type(), "", problem, advice);
	}

	List<DefinitionVersion> versions() {
		return this.versions;
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
			.metadata(metadata(first))
			.spec(spec);
	}

	private static V1ObjectMeta metadata(DefinitionVersion version) {
		V1ObjectMeta metadata = new V1ObjectMeta().name(version.name());
		// A definition in a group of Kubernetes needs it (kubernetes/enhancements#1111).
		Map<String, String> annotations = NameRules.isProtected(version.resource().group())
				? Map.of(APPROVAL, "unapproved, experimental-only") : null;
		return metadata.annotations(annotations).finalizers(null).labels(null).ownerReferences(null);
	}

}
