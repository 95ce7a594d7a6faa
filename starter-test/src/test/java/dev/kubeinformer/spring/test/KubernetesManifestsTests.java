package dev.kubeinformer.spring.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
					"type: Recreate", "    team: shop", "serviceAccountName: robot", "- name: shop-orders")
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
