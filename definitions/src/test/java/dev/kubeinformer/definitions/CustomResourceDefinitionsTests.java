package dev.kubeinformer.definitions;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1CustomResourceColumnDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionNames;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import io.kubernetes.client.openapi.models.V1CustomResourceSubresourceScale;
import io.kubernetes.client.openapi.models.V1SelectableField;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.definition.Scale;
import dev.kubeinformer.resource.KubernetesResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Definitions of classes: names, versions, subresources and columns.
 */
@NullUnmarked
class CustomResourceDefinitionsTests {

	@Test
	void namesAreThoseOfTheAnnotation() {
		V1CustomResourceDefinition definition = CustomResourceDefinitions.of(Database.class).all().get(0);
		assertThat(definition.getMetadata().getName()).isEqualTo("databases.example.com");
		assertThat(definition.getSpec().getScope()).isEqualTo("Cluster");
		V1CustomResourceDefinitionNames names = definition.getSpec().getNames();
		assertThat(names.getKind()).isEqualTo("Database");
		assertThat(names.getListKind()).isEqualTo("DatabaseList");
		assertThat(names.getSingular()).isEqualTo("database");
		assertThat(names.getShortNames()).containsExactly("db");
		assertThat(names.getCategories()).containsExactly("all");
	}

	@Test
	void versionHasColumnsSelectableFieldsAndSubresources() {
		V1CustomResourceDefinitionVersion version = Kind.version(Database.class);
		assertThat(version.getAdditionalPrinterColumns())
			.extracting(V1CustomResourceColumnDefinition::getName, V1CustomResourceColumnDefinition::getJsonPath,
					V1CustomResourceColumnDefinition::getType)
			.containsExactly(tuple("Replicas", ".spec.replicas", "integer"),
					tuple("Age", ".metadata.creationTimestamp", "date"));
		assertThat(version.getSelectableFields()).extracting(V1SelectableField::getJsonPath)
			.containsExactly(".spec.engine");
		assertThat(version.getSubresources().getStatus()).isNotNull();
		V1CustomResourceSubresourceScale scale = version.getSubresources().getScale();
		assertThat(scale.getSpecReplicasPath()).isEqualTo(".spec.replicas");
		assertThat(scale.getStatusReplicasPath()).isEqualTo(".status.replicas");
		assertThat(scale.getLabelSelectorPath()).isNull();
		assertThat(Kind.version(NoSubresource.class).getSubresources()).isNull();
	}

	@Test
	void classesOfOneKindAreVersionsOfOneDefinition() {
		List<V1CustomResourceDefinition> all = CustomResourceDefinitions.of(V1Alpha1.class, V2.class, V10.class).all();
		assertThat(all).hasSize(1);
		assertThat(all.get(0).getSpec().getConversion().getStrategy()).isEqualTo("None");
		assertThat(all.get(0).getSpec().getVersions())
			.extracting(V1CustomResourceDefinitionVersion::getName, V1CustomResourceDefinitionVersion::getStorage,
					V1CustomResourceDefinitionVersion::getServed, V1CustomResourceDefinitionVersion::getDeprecated,
					V1CustomResourceDefinitionVersion::getDeprecationWarning)
			.containsExactly(tuple("v10", false, true, null, null), tuple("v2", true, true, null, null),
					tuple("v1alpha1", false, false, true, "gone"));
	}

	@Test
	void definitionOfAGroupOfKubernetesSaysThatItIsNotApproved() {
		assertThat(CustomResourceDefinitions.of(OfKubernetes.class).all().get(0).getMetadata().getAnnotations())
			.isEqualTo(Map.of("api-approved.kubernetes.io", "unapproved, experimental-only"));
	}

	@Test
	void definitionsAreSortedByName() {
		assertThat(CustomResourceDefinitions.of(OfKubernetes.class, V2.class, Database.class, Database.class).all())
			.extracting((definition) -> definition.getMetadata().getName())
			.containsExactly("databases.example.com", "things.x.k8s.io", "versioneds.example.com");
	}

	@Scale
	@PrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = "date")
	@KubernetesResource(group = "example.com", version = "v1", plural = "databases", namespaced = false,
			shortNames = "db", categories = "all", selectableFields = ".spec.engine")
	static class Database extends Kind {

		Spec spec;

		Status status;

		static class Spec {

			@PrinterColumn(name = "Replicas")
			int replicas = 1;

			String engine;

		}

		static class Status {

			int replicas;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "plains", statusSubresource = false)
	static class NoSubresource extends Kind {

		Map<String, String> status;

	}

	@KubernetesResource(group = "example.com", version = "v2", plural = "versioneds", kind = "Versioned")
	static class V2 extends Kind {

	}

	@KubernetesResource(group = "example.com", version = "v10", plural = "versioneds", kind = "Versioned",
			storage = false)
	static class V10 extends Kind {

	}

	@KubernetesResource(group = "example.com", version = "v1alpha1", plural = "versioneds", kind = "Versioned",
			storage = false, served = false, deprecationWarning = "gone")
	static class V1Alpha1 extends Kind {

	}

	@KubernetesResource(group = "x.k8s.io", version = "v1", plural = "things")
	static class OfKubernetes extends Kind {

	}

}
