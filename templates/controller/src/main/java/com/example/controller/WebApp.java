package com.example.controller;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource that asks for a web server. Its definition is generated from this
 * class.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "webapps")
@PrinterColumn(name = "Ready", type = "string", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
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

		@NotBlank
		public String image;

		@Min(0)
		@PrinterColumn(name = "Replicas")
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
