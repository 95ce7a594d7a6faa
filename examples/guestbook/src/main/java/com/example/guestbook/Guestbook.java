package com.example.guestbook;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Condition;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.definition.Scale;
import dev.kubeinformer.definition.ValidationRule;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;

/** Guestbook, a web application of one or more pods. */
@KubernetesResource(group = "webapp.example.com", version = "v1", plural = "guestbooks", shortNames = "gb")
@Scale(specReplicas = ".spec.size", statusReplicas = ".status.readyReplicas")
@PrinterColumn(name = "Available", type = "string", jsonPath = ".status.conditions[?(@.type==\"Available\")].status")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
@ValidationRule(value = "self.metadata.name.matches('^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$')",
		message = "the name must be one that a Service can have")
public class Guestbook extends CustomResource {

	@NotNull
	public Spec spec = new Spec();

	public Status status;

	/** Desired state of a guestbook. */
	public static class Spec {

		/** Number of pods. */
		@Min(1)
		@Max(10)
		@PrinterColumn(name = "Size")
		public int size = 1;

		/**
		 * Name of the ConfigMap with the settings, which the guestbook owns. The name of
		 * the guestbook and a hyphen precede it.
		 */
		@NotNull
		@Pattern(regexp = "[a-z]([a-z0-9-]{0,13}[a-z0-9])?")
		public String configMapName;

		/** Name that visitors sign with. */
		public Alias alias = Alias.Name;

	}

	public enum Alias {

		Phone, Address, Name

	}

	/** Observed state of a guestbook. */
	public static class Status {

		/** Number of pods that are ready. */
		@PrinterColumn(name = "Ready")
		public int readyReplicas;

		public List<V1Condition> conditions;

	}

}
