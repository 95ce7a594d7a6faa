package com.example.webpage;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Condition;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.definition.ValidationRule;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;

/** Page that a web server shows. */
@KubernetesResource(group = "example.com", version = "v1", plural = "webpages", shortNames = "page")
@PrinterColumn(name = "Ready", type = "string", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
@ValidationRule(value = "self.metadata.name.matches('^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$')",
		message = "the name must be one that a Service can have")
public class WebPage extends CustomResource {

	@NotNull
	public Spec spec = new Spec();

	public Status status;

	/** Desired state of a page. */
	public static class Spec {

		/** Content of the page. */
		@NotEmpty
		public String html;

		/**
		 * Host of the URL under which the page is reached from outside of the cluster,
		 * which it is not without one.
		 */
		@Size(max = 253)
		@Pattern(regexp = "[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
		public String host;

	}

	/** Observed state of a page. */
	public static class Status {

		/** Link to the page. */
		@PrinterColumn(name = "URL")
		public String url;

		public List<V1Condition> conditions;

	}

}
