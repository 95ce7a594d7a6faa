package dev.kubeinformer.definitions;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import io.kubernetes.client.openapi.models.V1CustomResourceSubresourceScale;
import io.kubernetes.client.openapi.models.V1CustomResourceSubresources;
import io.kubernetes.client.openapi.models.V1CustomResourceValidation;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1SelectableField;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.Scale;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Version of a definition, generated from a class.
 *
 * @param type the class
 * @param resource the annotation of the class
 */
record DefinitionVersion(Class<?> type, KubernetesResource resource) {

	static DefinitionVersion of(Class<?> type) {
		KubernetesResource resource = type.getAnnotation(KubernetesResource.class);
		if (resource == null) {
			throw new InvalidDefinitionException(type, "", "the class has no @KubernetesResource",
					"annotate it with group, version and plural");
		}
		DefinitionVersion version = new DefinitionVersion(type, resource);
		NameRules.check(version);
		return version;
	}

	String name() {
		return this.resource.plural() + "." + this.resource.group();
	}

	String kind() {
		return this.resource.kind().isEmpty() ? this.type.getSimpleName() : this.resource.kind();
	}

	String singular() {
		return this.resource.singular().isEmpty() ? kind().toLowerCase(Locale.ROOT) : this.resource.singular();
	}

	String scope() {
		return this.resource.namespaced() ? "Namespaced" : "Cluster";
	}

	V1CustomResourceDefinitionVersion generate() {
		PrinterColumns columns = new PrinterColumns(this.type);
		V1JSONSchemaProps schema = new SchemaGenerator(columns).generate(this.type);
		PathRules paths = new PathRules(this.type, schema);
		columns.all().forEach(paths::check);
		paths.checkSelectable(List.of(this.resource.selectableFields()));
		String warning = this.resource.deprecationWarning();
		V1CustomResourceDefinitionVersion version = new V1CustomResourceDefinitionVersion()
			.name(this.resource.version())
			.served(this.resource.served())
			.storage(this.resource.storage())
			.deprecated((this.resource.deprecated() || !warning.isEmpty()) ? true : null)
			.deprecationWarning(warning.isEmpty() ? null : warning)
			.schema(new V1CustomResourceValidation().openAPIV3Schema(schema))
			.subresources(subresources(schema))
			.additionalPrinterColumns(columns.all().isEmpty() ? null : columns.all());
		List<V1SelectableField> selectable = Arrays.stream(this.resource.selectableFields())
			.map((path) -> new V1SelectableField().jsonPath(path))
			.toList();
		return version.selectableFields(selectable.isEmpty() ? null : selectable);
	}

	private @Nullable V1CustomResourceSubresources subresources(V1JSONSchemaProps schema) {
		boolean status = schema.getProperties().containsKey("status") && this.resource.statusSubresource();
		Scale scale = this.type.getAnnotation(Scale.class);
		if (!status && scale == null) {
			return null;
		}
		V1CustomResourceSubresources subresources = new V1CustomResourceSubresources();
		if (status) {
			subresources.setStatus(new Object());
		}
		if (scale != null) {
			new PathRules(this.type, schema).check(scale);
			subresources.setScale(new V1CustomResourceSubresourceScale().specReplicasPath(scale.specReplicas())
				.statusReplicasPath(scale.statusReplicas())
				.labelSelectorPath(scale.labelSelector().isEmpty() ? null : scale.labelSelector()));
		}
		return subresources;
	}

}
