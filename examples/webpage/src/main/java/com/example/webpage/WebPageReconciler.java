package com.example.webpage;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapVolumeSource;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1HTTPIngressPath;
import io.kubernetes.client.openapi.models.V1HTTPIngressRuleValue;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1IngressBackend;
import io.kubernetes.client.openapi.models.V1IngressRule;
import io.kubernetes.client.openapi.models.V1IngressServiceBackend;
import io.kubernetes.client.openapi.models.V1IngressSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceBackendPort;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;

import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Serves each {@link WebPage}: by a ConfigMap, a Deployment, a Service and, with a host,
 * an Ingress.
 */
@Reconciler
@Owns(V1ConfigMap.class)
@Owns(V1Deployment.class)
@Owns(V1Service.class)
class WebPageReconciler {

	@Reconcile
	void reconcile(WebPage page, Owned<V1Ingress> ingresses, Reconciliation<WebPage> run) throws ApiException {
		run.apply(configFor(page));
		V1Deployment deployment = run.apply(deploymentFor(page));
		run.apply(serviceFor(page));
		if (page.spec.host != null) {
			run.apply(ingressFor(page));
		}
		else if (ingresses.single() != null) {
			run.delete(ingresses.single()); // The page had a host before.
		}
		boolean ready = isReady(deployment);
		run.status((changed) -> {
			changed.status.url = "http://" + ((page.spec.host != null) ? page.spec.host : serviceHost(page)) + "/";
			changed.status.conditions = Conditions.set(changed.status.conditions, "Ready", ready ? "True" : "False",
					ready ? "Serving" : "Starting", ready ? "the web server runs" : "the web server is not ready",
					page.getMetadata().getGeneration());
		});
	}

	/** Returns whether the page is served: pods with an earlier one do not count. */
	private static boolean isReady(V1Deployment deployment) {
		V1DeploymentStatus status = deployment.getStatus();
		return status != null && status.getReadyReplicas() != null
				&& Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
				&& Objects.equals(status.getUpdatedReplicas(), status.getReplicas()) && status.getReadyReplicas() > 0;
	}

	private static String serviceHost(WebPage page) {
		return page.getMetadata().getName() + "." + page.getMetadata().getNamespace() + ".svc";
	}

	private static V1ConfigMap configFor(WebPage page) {
		return new V1ConfigMap().metadata(metadataFor(page)).putDataItem("index.html", page.spec.html);
	}

	private static V1Deployment deploymentFor(WebPage page) {
		V1PodSpec pod = new V1PodSpec()
			.addContainersItem(new V1Container().name("nginx")
				.image("nginx:1.29")
				.addPortsItem(new V1ContainerPort().name("http").containerPort(80))
				.addVolumeMountsItem(new V1VolumeMount().name("html").mountPath("/usr/share/nginx/html")))
			.addVolumesItem(new V1Volume().name("html")
				.configMap(new V1ConfigMapVolumeSource().name(page.getMetadata().getName())));
		// Another page replaces the pods at once; a mounted ConfigMap follows after a
		// minute.
		V1ObjectMeta metadata = new V1ObjectMeta().labels(labelsOf(page))
			.putAnnotationsItem("example.com/html",
					UUID.nameUUIDFromBytes(page.spec.html.getBytes(StandardCharsets.UTF_8)).toString());
		return new V1Deployment().metadata(metadataFor(page))
			.spec(new V1DeploymentSpec().selector(new V1LabelSelector().matchLabels(labelsOf(page)))
				.template(new V1PodTemplateSpec().metadata(metadata).spec(pod)));
	}

	private static V1Service serviceFor(WebPage page) {
		return new V1Service().metadata(metadataFor(page))
			.spec(new V1ServiceSpec().selector(labelsOf(page))
				.addPortsItem(new V1ServicePort().name("http").port(80).targetPort(new IntOrString("http"))));
	}

	private static V1Ingress ingressFor(WebPage page) {
		V1IngressServiceBackend service = new V1IngressServiceBackend().name(page.getMetadata().getName())
			.port(new V1ServiceBackendPort().name("http"));
		V1HTTPIngressPath path = new V1HTTPIngressPath().path("/")
			.pathType("Prefix")
			.backend(new V1IngressBackend().service(service));
		return new V1Ingress().metadata(metadataFor(page))
			.spec(new V1IngressSpec().addRulesItem(
					new V1IngressRule().host(page.spec.host).http(new V1HTTPIngressRuleValue().addPathsItem(path))));
	}

	private static V1ObjectMeta metadataFor(WebPage page) {
		return new V1ObjectMeta().name(page.getMetadata().getName()).labels(labelsOf(page));
	}

	private static Map<String, String> labelsOf(WebPage page) {
		return Map.of("app.kubernetes.io/name", "webpage", "app.kubernetes.io/instance", page.getMetadata().getName());
	}

}
