package com.example.cronjob;

import java.time.OffsetDateTime;
import java.util.List;

import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.definition.ValidationRule;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;

/** Jobs that start by a schedule. */
@KubernetesResource(group = "batch.example.com", version = "v1", plural = "cronjobs")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
@ValidationRule(value = "size(self.metadata.name) <= 52", message = "the name must leave room for that of a Job")
public class CronJob extends CustomResource {

	@NotNull
	public Spec spec = new Spec();

	public Status status;

	/** Desired state of a CronJob. */
	public static class Spec {

		/** Schedule in UTC: five fields as in a crontab, or one of its macros. */
		@NotNull
		@Pattern(regexp = "@(yearly|annually|monthly|weekly|daily|midnight|hourly)|\\S+( \\S+){4}")
		@PrinterColumn(name = "Schedule")
		public String schedule;

		/**
		 * Seconds after which a missed start is not made up for; always made up for
		 * without it.
		 */
		@Min(1)
		public Long startingDeadlineSeconds;

		/** Whether a Job may start while another one is active. */
		public ConcurrencyPolicy concurrencyPolicy = ConcurrencyPolicy.Allow;

		/** Whether no further Jobs start. */
		@PrinterColumn(name = "Suspend")
		public boolean suspend;

		@NotNull
		public V1JobTemplateSpec jobTemplate;

		/** Number of complete Jobs to keep. */
		@Min(0)
		public int successfulJobsHistoryLimit = 3;

		/** Number of failed Jobs to keep. */
		@Min(0)
		public int failedJobsHistoryLimit = 1;

	}

	public enum ConcurrencyPolicy {

		Allow, Forbid, Replace

	}

	/** Observed state of a CronJob. */
	public static class Status {

		/** Names of the Jobs that have not finished. */
		public List<String> active;

		/** Time of the last start by the schedule. */
		@PrinterColumn(name = "Last Schedule", type = "date")
		public OffsetDateTime lastScheduleTime;

	}

}
