package dev.kubeinformer.spring.docs;

import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.test.RecordingReconciliation;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the example of unowned objects.
 */
class GrantReconcilerTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	private static Grant grant(String role) {
		Grant grant = new Grant();
		grant.metadata.namespace("shop").name("reports");
		grant.spec.role = role;
		grant.spec.serviceAccount = "reporter";
		return grant;
	}

	@Test
	void bindingShouldFollowItsGrantAndGoWithIt() {
		this.kubernetes.serve("example.com", "v1", "grants", "Grant", true);
		ApiResources<Grant> grants = this.kubernetes.resources(Grant.class, "example.com", "v1", "grants");
		grants.create(grant("viewer"));
		InformerContextRunner.with(this.kubernetes)
			.withBean("grantReconciler", GrantReconciler.class)
			.run((context) -> {
				assertThat(bindings(context)).containsExactly("grant:shop:reports:viewer");
				grants.edit("shop", "reports", (grant) -> grant.spec.role = "editor");
				assertThat(bindings(context)).containsExactly("grant:shop:reports:editor");
				new CustomObjectsApi(context.getBean(ApiClient.class))
					.deleteNamespacedCustomObject("example.com", "v1", "shop", "grants", "reports")
					.execute();
				assertThat(bindings(context)).isEmpty();
				assertThat(grants.get("shop", "reports")).isNull();
			});
	}

	private List<String> bindings(ApplicationContext context) throws InterruptedException {
		assertThat(context.getBean(ReconcilerRegistry.class).awaitIdle(Duration.ofSeconds(60))).isTrue();
		return this.kubernetes.resources(V1ClusterRoleBinding.class)
			.list()
			.stream()
			.map((each) -> each.getMetadata().getName())
			.toList();
	}

	@Test
	void bindingShouldBeRecorded() throws Exception {
		RecordingReconciliation<Grant> run = RecordingReconciliation.of(grant("viewer"));
		new GrantReconciler().reconcile(run.object(), run);
		assertThat(run.applied(V1ClusterRoleBinding.class)).singleElement()
			.satisfies((binding) -> assertThat(binding.getMetadata().getOwnerReferences()).isNullOrEmpty());
	}

}
