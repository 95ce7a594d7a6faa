package dev.kubeinformer.spring.autoconfigure.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.AuthenticationV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.openapi.models.V1SelfSubjectReview;
import io.kubernetes.client.openapi.models.V1UserInfo;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests on a real kube-apiserver of who it takes an impersonating application for.
 */
@RequiresCluster
class ImpersonationClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final String group = "readers-" + UUID.randomUUID();

	@Test
	void rightsShouldBeThoseOfTheGroups(Path kubeconfig) {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig)
			.run((admin) -> {
				RbacAuthorizationV1Api rbac = new RbacAuthorizationV1Api(admin.getBean(ApiClient.class));
				rbac.createClusterRole(new V1ClusterRole().metadata(new V1ObjectMeta().name(this.group))
					.addRulesItem(new V1PolicyRule().addApiGroupsItem("")
						.addResourcesItem("pods")
						.verbs(List.of("list", "watch"))))
					.execute();
				rbac.createClusterRoleBinding(new V1ClusterRoleBinding().metadata(new V1ObjectMeta().name(this.group))
					.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("ClusterRole").name(this.group))
					.addSubjectsItem(
							new RbacV1Subject().apiGroup("rbac.authorization.k8s.io").kind("Group").name(this.group)))
					.execute();
				try {
					assertState(kubeconfig, this.group, InformerState.LIVE);
					assertState(kubeconfig, "others", InformerState.FORBIDDEN);
				}
				finally {
					rbac.deleteClusterRoleBinding(this.group).execute();
					rbac.deleteClusterRole(this.group).execute();
				}
			});
	}

	private void assertState(Path kubeconfig, String group, InformerState state) {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig, "kubernetes.client.impersonate.user=jane",
					"kubernetes.client.impersonate.groups=" + group)
			.run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				await().atMost(LONG).until(() -> pods.state() == state);
			});
	}

	@Test
	void userShouldHaveAllItsAttributes(Path kubeconfig) {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig, "kubernetes.client.impersonate.user=jane",
					"kubernetes.client.impersonate.groups=dev,ops", "kubernetes.client.impersonate.uid=7",
					"kubernetes.client.impersonate.extra.[example.com/team%]=blue,green")
			.run((context) -> {
				V1UserInfo user = new AuthenticationV1Api(context.getBean(ApiClient.class))
					.createSelfSubjectReview(new V1SelfSubjectReview())
					.execute()
					.getStatus()
					.getUserInfo();
				assertThat(user.getUsername()).isEqualTo("jane");
				assertThat(user.getUid()).isEqualTo("7");
				assertThat(user.getGroups()).containsExactlyInAnyOrder("dev", "ops", "system:authenticated");
				assertThat(user.getExtra()).isEqualTo(Map.of("example.com/team%", List.of("blue", "green")));
			});
	}

}
