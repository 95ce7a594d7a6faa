package com.example.controller;

import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;

import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Keeps a Deployment for each {@link WebApp}. A run follows each change of either, and an
 * exception means that it is tried again.
 */
@Reconciler
class WebAppReconciler {

	@Reconcile
	void reconcile(WebApp app, Owned<V1Deployment> deployments, Reconciliation<WebApp> run) throws ApiException {
		int ready = readyReplicasOf(run.apply(deploymentFor(app)));
		boolean complete = ready >= app.spec.replicas;
		run.status((changed) -> {
			changed.status.readyReplicas = ready;
			changed.status.conditions = Conditions.set(changed.status.conditions, "Ready", complete ? "True" : "False",
					complete ? "Available" : "Progressing", ready + " of " + app.spec.replicas + " replicas are ready",
					app.getMetadata().getGeneration());
		});
	}

	private static V1Deployment deploymentFor(WebApp app) {
		Map<String, String> labels = Map.of("app", app.getMetadata().getName());
		V1PodSpec pod = new V1PodSpec().addContainersItem(new V1Container().name("web").image(app.spec.image));
		return new V1Deployment().metadata(new V1ObjectMeta().name(app.getMetadata().getName()))
			.spec(new V1DeploymentSpec().replicas(app.spec.replicas)
				.selector(new V1LabelSelector().matchLabels(labels))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels)).spec(pod)));
	}

	private static int readyReplicasOf(V1Deployment deployment) {
		return (deployment.getStatus() != null)
				? Objects.requireNonNullElse(deployment.getStatus().getReadyReplicas(), 0) : 0;
	}

}
