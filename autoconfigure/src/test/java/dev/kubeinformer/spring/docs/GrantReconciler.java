package dev.kubeinformer.spring.docs;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1RoleRef;

import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Example of the page about controllers: a grant in a namespace that asks for a
 * cluster-scoped object.
 */
@Reconciler(unowned = V1ClusterRoleBinding.class)
class GrantReconciler {

	@Reconcile
	void reconcile(Grant grant, Reconciliation<Grant> run) throws ApiException {
		V1ClusterRoleBinding binding = run.applyUnowned(bindingFor(grant));
		for (V1ClusterRoleBinding other : run.unowned(V1ClusterRoleBinding.class).list()) {
			if (!other.getMetadata().getName().equals(binding.getMetadata().getName())) {
				run.delete(other); // The Grant has named another role since.
			}
		}
	}

	private static V1ClusterRoleBinding bindingFor(Grant grant) {
		String namespace = grant.getMetadata().getNamespace();
		String name = "grant:%s:%s:%s".formatted(namespace, grant.getMetadata().getName(), grant.spec.role);
		return new V1ClusterRoleBinding().metadata(new V1ObjectMeta().name(name))
			.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("ClusterRole").name(grant.spec.role))
			.addSubjectsItem(
					new RbacV1Subject().kind("ServiceAccount").namespace(namespace).name(grant.spec.serviceAccount));
	}

}
