package com.example.controller;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource that asks for a web server. Its definition is
 * {@code src/main/k8s/webapps.yaml}.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "webapps")
public class WebApp implements KubernetesObject {

	private String apiVersion = "example.com/v1";

	private String kind = "WebApp";

	private V1ObjectMeta metadata = new V1ObjectMeta();

	public Spec spec = new Spec();

	public Status status;

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	/**
	 * Desired state.
	 */
	public static class Spec {

		public String image;

		public int replicas = 1;

	}

	/**
	 * Observed state.
	 */
	public static class Status {

		public int readyReplicas;

		public List<V1Condition> conditions;

	}

}
