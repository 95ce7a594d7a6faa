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
 * Web application that runs in pods.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "webapps")
@PrinterColumn(name = "Ready", type = "string", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
public class WebApp extends CustomResource {

	@NotNull
	public Spec spec = new Spec();

	public Status status;

	/**
	 * Desired state.
	 */
	public static class Spec {

		/** Image of the container. */
		@NotBlank
		public String image;

		/** Number of pods. */
		@Min(0)
		@PrinterColumn(name = "Replicas")
		public int replicas = 1;

	}

	/**
	 * Observed state.
	 */
	public static class Status {

		/** Number of pods that are ready. */
		public int readyReplicas;

		public List<V1Condition> conditions;

	}

}
