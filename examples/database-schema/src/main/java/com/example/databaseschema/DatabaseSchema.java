package com.example.databaseschema;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Condition;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Schema of a database with a user of its own, whose credentials are in a Secret of the
 * same name.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "databaseschemas", shortNames = "dbschema")
@PrinterColumn(name = "Ready", type = "string", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
public class DatabaseSchema extends CustomResource {

	public Spec spec = new Spec();

	public Status status;

	/** Desired state of a schema. */
	public static class Spec {

		/** Handling of the schema and its tables when this object is deleted. */
		public DeletionPolicy deletionPolicy = DeletionPolicy.Delete;

	}

	public enum DeletionPolicy {

		Delete, Retain

	}

	/** Observed state of a schema. */
	public static class Status {

		/** Name of the schema and of its user in the database. */
		@PrinterColumn(name = "Schema")
		public String schema;

		public List<V1Condition> conditions;

	}

}
