package com.example.controller;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Condition;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource that asks for a web server. Its definition is generated from this
 * class.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "webapps")
@PrinterColumn(name = "Ready", type = "string", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
public class WebApp extends CustomResource {

	@NotNull
	public Spec spec = new Spec();

	public Status status;

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
