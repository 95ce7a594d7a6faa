package dev.kubeinformer.spring.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.test.context.TestContextManager;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the file of roles that is kept with an application.
 */
@SpringBootTest(classes = RbacManifestTests.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "spring.application.name=orders", "kubernetes.leader.enabled=true",
				"kubernetes.reconcilers.configReconciler.owned-verbs=create" })
@EmbeddedKubernetesTest(namespace = "shop", clusters = "edge")
@Tag("slow")
class RbacManifestTests {

	private static final String[] GRANTS = { "ClusterRole 'orders-informers': list pods",
			"ClusterRole 'orders-informers': watch pods", "Role 'shop/orders-informers': create deployments.apps",
			"Role 'shop/orders-informers': create events.events.k8s.io",
			"Role 'shop/orders-informers': create leases.coordination.k8s.io",
			"Role 'shop/orders-informers': get configmaps",
			"Role 'shop/orders-informers': get leases.coordination.k8s.io orders",
			"Role 'shop/orders-informers': list configmaps", "Role 'shop/orders-informers': list deployments.apps",
			"Role 'shop/orders-informers': patch configmaps/status",
			"Role 'shop/orders-informers': patch events.events.k8s.io",
			"Role 'shop/orders-informers': update configmaps/finalizers",
			"Role 'shop/orders-informers': update leases.coordination.k8s.io orders",
			"Role 'shop/orders-informers': watch configmaps", "Role 'shop/orders-informers': watch deployments.apps",
			"Role 'shop/orders-informers': watch leases.coordination.k8s.io orders" };

	@TempDir
	private Path folder;

	private final RbacManifest manifest;

	RbacManifestTests(@Autowired ApplicationContext context) {
		this.manifest = RbacManifest.of(context);
	}

	@Test
	void rolesShouldGrantWhatInformersReconcilersAndTheElectionNeedInTheNamespaceOfTheTest() {
		assertThat(RbacGrants.of(this.manifest.toYaml())).containsExactly(GRANTS);
	}

	@Test
	void eachRoleShouldBeBoundToTheServiceAccount() throws Exception {
		List<Object> bindings = new ArrayList<>(
				Yaml.loadAll(this.manifest.withServiceAccount("shop", "orders").toYaml()));
		assertThat(bindings).hasSize(4);
		V1ClusterRoleBinding everywhere = (V1ClusterRoleBinding) bindings.get(2);
		assertThat(everywhere.getMetadata().getName()).isEqualTo("orders-informers");
		assertThat(everywhere.getRoleRef().getKind()).isEqualTo("ClusterRole");
		V1RoleBinding binding = (V1RoleBinding) bindings.get(3);
		assertThat(binding.getMetadata().getNamespace()).isEqualTo("shop");
		assertThat(binding.getRoleRef().getKind()).isEqualTo("Role");
		assertThat(binding.getRoleRef().getName()).isEqualTo("orders-informers");
		assertThat(binding.getSubjects()).singleElement().satisfies((subject) -> {
			assertThat(subject.getKind()).isEqualTo("ServiceAccount");
			assertThat(subject.getNamespace()).isEqualTo("shop");
			assertThat(subject.getName()).isEqualTo("orders");
		});
	}

	@Test
	void namedClusterShouldHaveAManifestOfItsOwn() {
		assertThat(RbacGrants.of(this.manifest.withCluster("edge").toYaml()))
			.containsExactly("ClusterRole 'orders-informers': list pods", "ClusterRole 'orders-informers': watch pods");
		assertThatIllegalArgumentException().isThrownBy(() -> this.manifest.withCluster("west"))
			.withMessage("There is no cluster 'west'; the clusters are [default, edge]");
	}

	@Test
	void rulesOfTheApplicationsOwnRequestsShouldBeAdded() {
		RbacManifest more = this.manifest
			.withRule(new RequiredRbac("", "secrets", List.of("key"), List.of("get"), "vault"));
		assertThat(RbacGrants.of(more.toYaml())).hasSize(GRANTS.length + 1)
			.contains("Role 'vault/orders-informers': get secrets key");
	}

	@Test
	void writtenFileShouldBeUpToDateHoweverItIsLaidOut() throws Exception {
		Path file = this.folder.resolve("k8s/rbac.yaml");
		this.manifest.writeTo(file);
		this.manifest.assertUpToDate(file);
		assertThat(Files.readString(file))
			.startsWith("# What orders needs, as RbacManifestTests writes it: see RbacManifest.\n---\n");
		Files.writeString(file, Files.readString(file)
			.replace("  name: orders-informers", "  labels: {team: shop}\n  name: \"orders-informers\""));
		this.manifest.assertUpToDate(file);
	}

	@Test
	void keysOfABindingMayHaveAnyOrder() throws Exception {
		Path file = this.folder.resolve("rbac.yaml");
		RbacManifest bound = this.manifest.withServiceAccount("shop", "orders");
		bound.writeTo(file);
		String subject = """
				- kind: ServiceAccount
				  name: orders
				  namespace: shop
				""";
		String text = Files.readString(file);
		assertThat(text).contains(subject);
		Files.writeString(file,
				text.replace(subject, "- {namespace: shop, apiGroup: \"\", name: orders, kind: ServiceAccount}\n"));
		bound.assertUpToDate(file);
	}

	@Test
	void furtherRightsByAggregationAndRolesOfAnotherGroupShouldBeSeen() throws Exception {
		Path file = this.folder.resolve("rbac.yaml");
		RbacManifest bound = this.manifest.withServiceAccount("shop", "orders");
		bound.writeTo(file);
		String text = Files.readString(file);
		Files.writeString(file, text.replaceFirst("kind: ClusterRole\n",
				"kind: ClusterRole\naggregationRule: {clusterRoleSelectors: [{matchLabels: {all: \"yes\"}}]}\n"));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> bound.assertUpToDate(file))
			.withMessageContaining(
					"""
							Not needed:
							    ClusterRole 'orders-informers': the rights of others by {clusterRoleSelectors=[{matchLabels={all=yes}}]}
							""");
		assertThat(text).contains("roleRef:\n  apiGroup: rbac.authorization.k8s.io\n");
		Files.writeString(file, text.replace("roleRef:\n  apiGroup: rbac.", "roleRef:\n  apiGroup: other."));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> bound.assertUpToDate(file))
			.withMessageContaining(
					"RoleBinding 'shop/orders-informers': Role.other.authorization.k8s.io 'orders-informers' to ");
	}

	@Test
	void staleFileShouldBeRefusedWithTheDifferenceAndTheMend() throws Exception {
		Path file = this.folder.resolve("rbac.yaml");
		this.manifest.withRule(new RequiredRbac("", "secrets", List.of(), List.of("get"), null)).writeTo(file);
		Files.writeString(file, Files.readString(file).replaceFirst("  - update\n", ""));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.manifest.assertUpToDate(file))
			.withMessage(
					"""
							'%s' differs from what the application needs.
							Missing:
							    Role 'shop/orders-informers': update configmaps/finalizers
							Not needed:
							    ClusterRole 'orders-informers': get secrets
							Run RbacManifestTests with -Dkubernetes.rbac.write=true, or with KUBERNETES_RBAC_WRITE=true in its environment, to write it."""
						.formatted(file));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.manifest.withServiceAccount("shop", "orders").assertUpToDate(file))
			.withMessageContaining(
					"ClusterRoleBinding 'orders-informers': ClusterRole 'orders-informers' to {kind=ServiceAccount, name=orders, namespace=shop}");
	}

	@Test
	void fileThatIsNotThereOrNoManifestShouldBeRefusedWithTheMend() throws Exception {
		Path file = this.folder.resolve("rbac.yaml");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.manifest.assertUpToDate(file))
			.withMessageContainingAll("Cannot read '", "rbac.yaml': ", "-Dkubernetes.rbac.write=true");
		for (String text : List.of("- one", "kind: [", "just text")) {
			Files.writeString(file, text);
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.manifest.assertUpToDate(file))
				.withMessageContainingAll("rbac.yaml' is not a manifest: ", "-Dkubernetes.rbac.write=true");
		}
	}

	@Test
	void fileShouldBeWrittenWithTheProperty(@Autowired ApplicationContext context) {
		Path file = this.folder.resolve("rbac.yaml");
		System.setProperty(RbacManifest.WRITE, "true");
		try {
			RbacManifest.of(context).assertUpToDate(file);
		}
		finally {
			System.clearProperty(RbacManifest.WRITE);
		}
		RbacManifest.of(context).assertUpToDate(file);
	}

	@Test
	void namespaceOfTheTestShouldBeThereForTheLease(@Autowired Leadership leadership) {
		await().until(leadership::isLeader);
	}

	@Test
	void contextWithoutInformersShouldBeRefused() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.setEnvironment(new MockEnvironment());
			context.refresh();
			assertThatIllegalArgumentException().isThrownBy(() -> RbacManifest.of(context))
				.withMessageContaining("has no informers");
		}
	}

	@Test
	void nameThatNoNamespaceHasShouldBeRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TestContextManager(WrongNamespaceCase.class))
			.withMessageStartingWith("@EmbeddedKubernetesTest(namespace = ...) has 'Shop', but needs ");
	}

	@SpringBootTest(classes = Application.class)
	@EmbeddedKubernetesTest(namespace = "Shop")
	static class WrongNamespaceCase {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ PodHandler.class, ConfigReconciler.class })
	static class Application {

	}

	/**
	 * Handler of the pods of all clusters.
	 */
	@InformerHandler(id = "podHandler", cluster = { "default", "edge" })
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	/**
	 * Reconciler in the application's own namespace.
	 */
	@Reconciler(id = "configReconciler", namespaces = "@current")
	static class ConfigReconciler {

		@Reconcile
		void reconcile(V1ConfigMap config, Owned<V1Deployment> deployments) {
		}

	}

}
