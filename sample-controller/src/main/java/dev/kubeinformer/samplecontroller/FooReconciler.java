package dev.kubeinformer.samplecontroller;

import java.util.Map;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.samplecontroller.Foo.FooStatus;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Keeps a Deployment of nginx for each {@link Foo}, and its number of available replicas.
 */
@Reconciler
public class FooReconciler {

	@Reconcile
	void reconcile(Foo foo, Owned<V1Deployment> deployments, Reconciliation<Foo> run) throws ApiException {
		V1Deployment deployment = run.apply(deploymentFor(foo));
		for (V1Deployment other : deployments.list()) {
			if (!foo.getSpec().getDeploymentName().equals(other.getMetadata().getName())) {
				run.delete(other); // The Foo has named another Deployment since.
			}
		}
		run.status((changed) -> changed.setStatus(statusOf(deployment)));
	}

	private static V1Deployment deploymentFor(Foo foo) {
		Map<String, String> labels = Map.of("app", "nginx", "controller", foo.getMetadata().getName());
		V1PodSpec nginx = new V1PodSpec().addContainersItem(new V1Container().name("nginx").image("nginx:latest"));
		return new V1Deployment().metadata(new V1ObjectMeta().name(foo.getSpec().getDeploymentName()))
			.spec(new V1DeploymentSpec().replicas(foo.getSpec().getReplicas())
				.selector(new V1LabelSelector().matchLabels(labels))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels)).spec(nginx)));
	}

	private static FooStatus statusOf(V1Deployment deployment) {
		FooStatus status = new FooStatus();
		Integer available = (deployment.getStatus() != null) ? deployment.getStatus().getAvailableReplicas() : null;
		status.setAvailableReplicas((available != null) ? available : 0);
		return status;
	}

}
