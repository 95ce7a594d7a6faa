package dev.kubeinformer.spring.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.test.orders.Order;
import dev.kubeinformer.spring.test.orders.OrdersApplication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the manifests of the application of a test.
 */
@SpringBootTest(classes = OrdersApplication.class,
		properties = { "spring.application.name=Orders", "kubernetes.clusters.edge.readiness=false" })
@EmbeddedKubernetesTest(namespace = "shop", clusters = "edge")
class KubernetesManifestsTests {

	@TempDir
	private Path folder;

	private final KubernetesManifests manifests;

	KubernetesManifestsTests(@Autowired ApplicationContext context) {
		this.manifests = KubernetesManifests.of(context);
	}

	@Test
	void contentShouldFollowTheOptions() {
		String yaml = this.manifests.withName("shop-orders")
			.withNamespace("moved")
			.withServiceAccount("robot")
			.withImage("registry.example.com/orders@sha256:1")
			.withReplicas(0)
			.withProfiles("cluster", "eu")
			.withRule(new RequiredRbac("", "secrets", List.of("key"), List.of("get"), null))
			.withDeployment((deployment) -> deployment.getMetadata().putAnnotationsItem("team", "shop"))
			.toYaml();
		assertThat(yaml)
			.contains("kind: Namespace", "  name: moved", "name: orders.shop.example.com", "- secrets",
					"  namespace: moved", "image: registry.example.com/orders@sha256:1", "replicas: 0", "cluster,eu",
					"type: Recreate", "    team: shop", "serviceAccountName: robot", "- name: shop-orders",
					"terminationGracePeriodSeconds: 45")
			.doesNotContain("namespace: shop");
		assertThat(this.manifests.withoutDeployment()
			.withoutNamespaceObject()
			.withoutDefinitions(Order.class)
			.toFiles()
			.keySet()).containsExactly("3-rbac.yaml");
		assertThat(this.manifests.withNamespace("default").toFiles()).doesNotContainKey("1-namespace.yaml");
	}

	@Test
	void otherClusterShouldHaveOnlyWhatItNeeds() {
		assertThat(this.manifests.toFiles()).doesNotContainKey("edge/3-rbac.yaml");
		assertThat(this.manifests.withCluster("edge").toFiles().keySet()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> this.manifests.withCluster("west"))
			.withMessage("There is no cluster 'west'; the clusters are [default, edge]");
		assertThatIllegalArgumentException().isThrownBy(() -> this.manifests.withReplicas(-1));
	}

	@Test
	void filesThatAreNotNeededAnyMoreShouldGoAndOthersStay() throws Exception {
		this.manifests.writeTo(this.folder);
		Path own = Files.writeString(this.folder.resolve("5-service.yaml"), "kind: Service\nmetadata: {name: own}\n");
		assertThat(this.manifests.writeTo(this.folder)).isEmpty();
		KubernetesManifests less = this.manifests.withoutDeployment();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> less.assertUpToDate(this.folder))
			.withMessageContaining("4-deployment.yaml' is not needed")
			.withMessageContaining("Run KubernetesManifestsTests with -Dkubernetes.manifests.write=true");
		assertThat(less.writeTo(this.folder)).containsExactly(this.folder.resolve("4-deployment.yaml"));
		less.assertUpToDate(this.folder);
		assertThat(own).exists();
	}

	@Test
	void removalOfTheLastDefinitionShouldBeAccepted() {
		this.manifests.writeTo(this.folder);
		Path definitions = this.folder.resolve("2-definitions.yaml");
		KubernetesManifests less = this.manifests.withoutDefinitions(Order.class);
		assertThatExceptionOfType(BreakingDefinitionChangesException.class).isThrownBy(() -> less.writeTo(this.folder))
			.withMessageContaining("orders.shop.example.com");
		assertThat(definitions).exists();
		assertThat(less.withBreakingChangesAccepted().writeTo(this.folder)).containsExactly(definitions);
		assertThat(definitions).doesNotExist();
	}

	@Test
	void filesOfAClusterThatIsGoneShouldGoWithTheOthersOnly() throws Exception {
		SortedMap<String, String> two = new TreeMap<>(Map.of("3-rbac.yaml", "---\nkind: Role\n", "edge/3-rbac.yaml",
				"---\nkind: Role\n", "edge/2-definitions.yaml", this.manifests.toFiles().get("2-definitions.yaml")));
		SortedMap<String, String> one = new TreeMap<>(Map.of("3-rbac.yaml", "---\nkind: Role\n"));
		Path rbac = this.folder.resolve("edge/3-rbac.yaml");
		Path definitions = this.folder.resolve("edge/2-definitions.yaml");
		ManifestFiles.of(this.folder, two, "# Ours\n", true).write();
		assertThat(ManifestFiles.of(this.folder, two, "# Ours\n", true).write()).isEmpty();
		// Manifests of the same application for a profile.
		ManifestFiles.of(this.folder.resolve("eu"), one, "# Ours\n", true).write();
		Path own = Files.writeString(this.folder.resolve("edge/5-service.yaml"), "kind: Service\n");
		assertThat(ManifestFiles.of(this.folder, one, "# Ours\n", false).write()).isEmpty();
		assertThat(ManifestFiles.of(this.folder, one, "# Others\n", true).differences()).isEmpty();
		ManifestFiles less = ManifestFiles.of(this.folder, one, "# Ours\n", true);
		assertThat(less.differences()).containsExactly("'%s' is not needed".formatted(definitions),
				"'%s' is not needed".formatted(rbac));
		assertThatExceptionOfType(BreakingDefinitionChangesException.class)
			.isThrownBy(() -> less.checkDefinitions("Accept them."));
		assertThat(less.write()).containsExactly(definitions, rbac);
		assertThat(own).exists();
		assertThat(this.folder.resolve("eu/3-rbac.yaml")).exists();
	}

	@Test
	void fileShouldBeWrittenWithThePropertyUnlessADefinitionBreaks(@Autowired ApplicationContext context)
			throws Exception {
		Path file = this.folder.resolve("all.yml");
		System.setProperty(KubernetesManifests.WRITE, "true");
		try {
			KubernetesManifests.of(context).assertUpToDate(file);
			Files.writeString(file, Files.readString(file).replace("article:", "product:"));
			assertThatExceptionOfType(BreakingDefinitionChangesException.class)
				.isThrownBy(() -> this.manifests.assertUpToDate(file))
				.withMessageContaining(KubernetesManifests.ACCEPT_BREAKING_CHANGES)
				.satisfies((ex) -> assertThat(ex.getChanges().breaking()).isNotEmpty());
			this.manifests.withBreakingChangesAccepted().assertUpToDate(file);
		}
		finally {
			System.clearProperty(KubernetesManifests.WRITE);
		}
		this.manifests.assertUpToDate(file);
	}

}
