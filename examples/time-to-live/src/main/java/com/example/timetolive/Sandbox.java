package com.example.timetolive;

import java.time.OffsetDateTime;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.definition.ValidationRule;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;

/** Namespace to try something in, which is deleted after its time to live. */
@KubernetesResource(group = "example.com", version = "v1", plural = "sandboxes", namespaced = false)
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
@ValidationRule(value = "self.metadata.name.matches('^[a-z0-9]([a-z0-9-]{0,53}[a-z0-9])?$')",
		message = "the name must fit into that of a namespace: at most 55 lower-case letters, digits and hyphens")
public class Sandbox extends CustomResource {

	@NotNull
	public Spec spec = new Spec();

	public Status status;

	/** Desired state of a sandbox. */
	public static class Spec {

		/**
		 * Time from the creation to the deletion, such as 90m, 8h or 3d. It can be
		 * changed.
		 */
		@NotNull
		@Pattern(regexp = "[1-9][0-9]{0,5}[smhd]")
		@PrinterColumn(name = "TTL")
		public String ttl;

	}

	/** Observed state of a sandbox. */
	public static class Status {

		/** Name of the namespace. */
		@PrinterColumn(name = "Namespace")
		public String namespace;

		/** Time of the deletion. */
		@PrinterColumn(name = "Expires", type = "string")
		public OffsetDateTime expiresAt;

	}

}
