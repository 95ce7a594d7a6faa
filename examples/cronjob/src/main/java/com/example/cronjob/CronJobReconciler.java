package com.example.cronjob;

import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.springframework.scheduling.support.CronExpression;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/** Starts the Jobs of each {@link CronJob} and deletes old ones. */
@Reconciler
class CronJobReconciler {

	private final Clock clock;

	CronJobReconciler(Clock clock) {
		this.clock = clock;
	}

	@Reconcile
	Result reconcile(CronJob cronJob, Owned<V1Job> jobs, Reconciliation<CronJob> run) throws ApiException {
		CronJob.Spec spec = cronJob.spec;
		OffsetDateTime now = OffsetDateTime.now(this.clock);
		// Spring's expressions have a field for seconds, too.
		String expression = spec.schedule.startsWith("@") ? spec.schedule : "0 " + spec.schedule;
		if (!CronExpression.isValidExpression(expression)) {
			run.event(EventType.WARNING, "InvalidSchedule", "'" + spec.schedule + "' is not a schedule");
			return Result.done(); // A change of the schedule leads to the next run.
		}
		CronExpression schedule = CronExpression.parse(expression);
		List<V1Job> active = new ArrayList<>(jobs.list());
		active.removeIf((job) -> has(job, "Complete") || has(job, "Failed"));
		boolean blocked = spec.suspend
				|| (spec.concurrencyPolicy == CronJob.ConcurrencyPolicy.Forbid && !active.isEmpty());
		OffsetDateTime due = blocked ? null : latestMissedStart(cronJob, schedule, now);
		// A run that failed before it wrote the status may have created the Job.
		if (due != null && jobs.named(jobName(cronJob, due)) == null) {
			if (spec.concurrencyPolicy == CronJob.ConcurrencyPolicy.Replace) {
				for (V1Job job : active) {
					run.delete(job);
				}
				active.clear();
			}
			active.add(run.create(jobFor(cronJob, due)));
		}
		run.status((changed) -> {
			changed.status.active = active.stream().map((job) -> job.getMetadata().getName()).toList();
			changed.status.lastScheduleTime = (due != null) ? due : changed.status.lastScheduleTime;
		});
		deleteOldest(jobs, "Complete", spec.successfulJobsHistoryLimit, run);
		deleteOldest(jobs, "Failed", spec.failedJobsHistoryLimit, run);
		OffsetDateTime next = schedule.next(now);
		return (next != null) ? Result.requeueAfter(Duration.between(now, next)) : Result.done();
	}

	// Only the latest of several missed starts is made up for.
	private static OffsetDateTime latestMissedStart(CronJob cronJob, CronExpression schedule, OffsetDateTime now) {
		OffsetDateTime last = (cronJob.status != null) ? cronJob.status.lastScheduleTime : null;
		OffsetDateTime after = (last != null) ? last : cronJob.getMetadata().getCreationTimestamp();
		Long deadline = cronJob.spec.startingDeadlineSeconds;
		if (deadline != null && after.isBefore(now.minusSeconds(deadline))) {
			after = now.minusSeconds(deadline);
		}
		return Stream.iterate(schedule.next(after), (time) -> time != null && !time.isAfter(now), schedule::next)
			.reduce((earlier, later) -> later)
			.orElse(null);
	}

	private static V1Job jobFor(CronJob cronJob, OffsetDateTime start) {
		V1JobTemplateSpec template = cronJob.spec.jobTemplate;
		V1ObjectMeta from = Objects.requireNonNullElseGet(template.getMetadata(), V1ObjectMeta::new);
		// The Job must not get the namespace, owners and finalizers of the template.
		V1ObjectMeta metadata = new V1ObjectMeta().name(jobName(cronJob, start))
			.labels(from.getLabels())
			.annotations(from.getAnnotations());
		return new V1Job().metadata(metadata).spec(template.getSpec());
	}

	private static String jobName(CronJob cronJob, OffsetDateTime start) {
		return cronJob.getMetadata().getName() + "-" + start.toEpochSecond();
	}

	private static void deleteOldest(Owned<V1Job> jobs, String condition, int limit, Reconciliation<CronJob> run)
			throws ApiException {
		// They are sorted by name, which ends with the time of the start.
		List<V1Job> finished = jobs.list().stream().filter((job) -> has(job, condition)).toList();
		for (V1Job job : finished.subList(0, Math.max(0, finished.size() - limit))) {
			run.delete(job);
		}
	}

	private static boolean has(V1Job job, String condition) {
		V1JobStatus status = job.getStatus();
		return status != null && status.getConditions() != null
				&& status.getConditions()
					.stream()
					.anyMatch((each) -> condition.equals(each.getType()) && "True".equals(each.getStatus()));
	}

}
