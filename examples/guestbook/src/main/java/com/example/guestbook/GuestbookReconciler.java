package com.example.guestbook;

import java.util.Map;
import java.util.Optional;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapEnvSource;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1EnvFromSource;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;

import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/** Keeps a ConfigMap, a Deployment and a Service for each {@link Guestbook}. */
@Reconciler
@Owns(V1Deployment.class)
@Owns(V1Service.class)
class GuestbookReconciler {

	@Reconcile
	void reconcile(Guestbook guestbook, Owned<V1ConfigMap> configs, Reconciliation<Guestbook> run) throws ApiException {
		run.apply(configFor(guestbook));
		run.apply(serviceFor(guestbook));
		V1DeploymentStatus deployed = run.apply(deploymentFor(guestbook)).getStatus();
		int ready = Optional.ofNullable(deployed).map(V1DeploymentStatus::getReadyReplicas).orElse(0);
		for (V1ConfigMap config : configs.list()) {
			if (!configName(guestbook).equals(config.getMetadata().getName())) {
				run.delete(config); // The guestbook has named another one since.
			}
		}
		run.status((changed) -> {
			boolean available = ready >= guestbook.spec.size;
			changed.status.readyReplicas = ready;
			changed.status.conditions = Conditions.set(changed.status.conditions, "Available",
					available ? "True" : "False", available ? "AllReady" : "Progressing",
					"%d of %d pods are ready".formatted(ready, guestbook.spec.size),
					guestbook.getMetadata().getGeneration());
		});
	}

	/** The prefix keeps a guestbook from taking over the ConfigMap of something else. */
	private static String configName(Guestbook guestbook) {
		return guestbook.getMetadata().getName() + "-" + guestbook.spec.configMapName;
	}

	private static V1ConfigMap configFor(Guestbook guestbook) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name(configName(guestbook)))
			.putDataItem("GUESTBOOK_ALIAS", guestbook.spec.alias.name());
	}

	private static V1Service serviceFor(Guestbook guestbook) {
		return new V1Service().metadata(new V1ObjectMeta().name(guestbook.getMetadata().getName()))
			.spec(new V1ServiceSpec().selector(labelsOf(guestbook))
				.addPortsItem(new V1ServicePort().port(80).targetPort(new IntOrString("http"))));
	}

	private static V1Deployment deploymentFor(Guestbook guestbook) {
		V1Container container = new V1Container().name("guestbook")
			.image("nginx:1.29") // Put the image of your guestbook here.
			.addPortsItem(new V1ContainerPort().name("http").containerPort(80))
			.addEnvFromItem(new V1EnvFromSource().configMapRef(new V1ConfigMapEnvSource().name(configName(guestbook))));
		// Running pods do not read a changed ConfigMap: the annotation replaces them.
		V1ObjectMeta pod = new V1ObjectMeta().labels(labelsOf(guestbook))
			.putAnnotationsItem("webapp.example.com/alias", guestbook.spec.alias.name());
		return new V1Deployment().metadata(new V1ObjectMeta().name(guestbook.getMetadata().getName()))
			.spec(new V1DeploymentSpec().replicas(guestbook.spec.size)
				.selector(new V1LabelSelector().matchLabels(labelsOf(guestbook)))
				.template(new V1PodTemplateSpec().metadata(pod).spec(new V1PodSpec().addContainersItem(container))));
	}

	private static Map<String, String> labelsOf(Guestbook guestbook) {
		return Map.of("app.kubernetes.io/name", "guestbook", "app.kubernetes.io/instance",
				guestbook.getMetadata().getName());
	}

}
