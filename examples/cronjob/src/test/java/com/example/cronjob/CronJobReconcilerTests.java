package com.example.cronjob;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

import com.example.cronjob.CronJob.ConcurrencyPolicy;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole controller on a Kubernetes API server in memory. Its clock is that of
 * the test, and the test plays the controller of Jobs.
 */
@SpringBootTest
@EmbeddedKubernetesTest
class CronJobReconcilerTests {

	private static final ObjectKey KEY = new ObjectKey("default", "report");

	private ApiResources<CronJob> cronJobs;

	private ApiResources<V1Job> jobs;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@Autowired
	private AdjustableClock clock;

	@BeforeEach
	void resources(ApiResources<CronJob> cronJobs, ApiResources<V1Job> jobs) {
		this.cronJobs = cronJobs;
		this.jobs = jobs;
	}

	@Test
	void jobStartsBySchedule() throws InterruptedException {
		this.cronJobs.create(cronJob());
		reconcileAt("10:04:59");
		assertThat(this.jobs.list()).isEmpty();
		reconcileAt("10:05:00");
		assertThat(names()).containsExactly("report-" + time("10:05:00").toEpochSecond());
		assertThat(this.jobs.list()).singleElement().satisfies((job) -> {
			assertThat(job.getMetadata().getOwnerReferences()).singleElement()
				.satisfies((owner) -> assertThat(owner.getName()).isEqualTo("report"));
			assertThat(job.getSpec().getTemplate().getSpec().getContainers()).hasSize(1);
		});
		assertThat(status().active).isEqualTo(names());
		assertThat(status().lastScheduleTime).isEqualTo(time("10:05:00"));
	}

	@Test
	void jobHasTheLabelsAndAnnotationsOfItsTemplateOnly() throws InterruptedException {
		CronJob cronJob = cronJob();
		cronJob.spec.jobTemplate.setMetadata(new V1ObjectMeta().namespace("other")
			.putLabelsItem("app", "report")
			.putAnnotationsItem("team", "shop")
			.addFinalizersItem("example.com/keep"));
		this.cronJobs.create(cronJob);
		reconcileAt("10:05:00");
		assertThat(this.jobs.list()).singleElement().satisfies((job) -> {
			assertThat(job.getMetadata().getNamespace()).isEqualTo("default");
			assertThat(job.getMetadata().getLabels()).containsEntry("app", "report");
			assertThat(job.getMetadata().getAnnotations()).containsEntry("team", "shop");
			assertThat(job.getMetadata().getFinalizers()).isNullOrEmpty();
		});
	}

	@Test
	void ofSeveralMissedStartsTheLatestIsMadeUpFor() throws InterruptedException {
		this.cronJobs.create(cronJob());
		reconcileAt("10:17:00");
		assertThat(names()).containsExactly("report-" + time("10:15:00").toEpochSecond());
	}

	@Test
	void startIsNotMadeUpForAfterItsDeadline() throws InterruptedException {
		CronJob cronJob = cronJob();
		cronJob.spec.startingDeadlineSeconds = 60L;
		this.cronJobs.create(cronJob);
		reconcileAt("10:07:00");
		assertThat(this.jobs.list()).isEmpty();
		reconcileAt("10:10:59");
		assertThat(names()).containsExactly("report-" + time("10:10:00").toEpochSecond());
	}

	@Test
	void suspendedCronJobStartsNothingUntilItIsResumed() throws InterruptedException {
		CronJob cronJob = cronJob();
		cronJob.spec.suspend = true;
		this.cronJobs.create(cronJob);
		reconcileAt("10:05:00");
		assertThat(this.jobs.list()).isEmpty();
		this.cronJobs.edit("report", (changed) -> changed.spec.suspend = false);
		settle();
		assertThat(this.jobs.list()).hasSize(1);
	}

	@Test
	void allowedJobsOverlap() throws InterruptedException {
		createWithActiveJob(ConcurrencyPolicy.Allow);
		reconcileAt("10:10:00");
		assertThat(this.jobs.list()).hasSize(2);
		assertThat(status().active).isEqualTo(names());
	}

	@Test
	void forbiddenJobWaitsForTheActiveOne() throws InterruptedException {
		createWithActiveJob(ConcurrencyPolicy.Forbid);
		reconcileAt("10:10:00");
		String first = "report-" + time("10:05:00").toEpochSecond();
		assertThat(names()).containsExactly(first);
		finish(first, "Complete");
		settle();
		assertThat(names()).containsExactly(first, "report-" + time("10:10:00").toEpochSecond());
		assertThat(status().active).hasSize(1);
	}

	@Test
	void replacingJobEndsTheActiveOne() throws InterruptedException {
		createWithActiveJob(ConcurrencyPolicy.Replace);
		reconcileAt("10:10:00");
		assertThat(names()).containsExactly("report-" + time("10:10:00").toEpochSecond());
	}

	@Test
	void oldestFinishedJobsAreDeleted() throws InterruptedException {
		CronJob cronJob = cronJob();
		cronJob.spec.successfulJobsHistoryLimit = 2;
		cronJob.spec.failedJobsHistoryLimit = 0;
		this.cronJobs.create(cronJob);
		for (String time : List.of("10:05:00", "10:10:00", "10:15:00", "10:20:00")) {
			reconcileAt(time);
			finish("report-" + time(time).toEpochSecond(), time.equals("10:20:00") ? "Failed" : "Complete");
			settle();
		}
		assertThat(names()).containsExactly("report-" + time("10:10:00").toEpochSecond(),
				"report-" + time("10:15:00").toEpochSecond());
	}

	@Test
	void startThatIsMissingInTheStatusIsNotRepeated() throws InterruptedException {
		createWithActiveJob(ConcurrencyPolicy.Allow);
		this.cronJobs.edit("report", (changed) -> changed.status.lastScheduleTime = time("10:00:00"));
		reconcileAt("10:06:00");
		assertThat(this.jobs.list()).hasSize(1);
		assertThat(status().lastScheduleTime).isEqualTo(time("10:05:00"));
	}

	@Test
	void scheduleThatIsNotValidIsReported(ApiResources<EventsV1Event> events) throws InterruptedException {
		CronJob cronJob = cronJob();
		cronJob.spec.schedule = "99 * * * *";
		this.cronJobs.create(cronJob);
		settle();
		await().untilAsserted(() -> assertThat(events.list()).singleElement()
			.satisfies((event) -> assertThat(event.getReason()).isEqualTo("InvalidSchedule")));
		this.cronJobs.edit("report", (changed) -> changed.spec.schedule = "*/5 * * * *");
		reconcileAt("10:05:00");
		assertThat(this.jobs.list()).hasSize(1);
	}

	private void createWithActiveJob(ConcurrencyPolicy policy) throws InterruptedException {
		CronJob cronJob = cronJob();
		cronJob.spec.concurrencyPolicy = policy;
		this.cronJobs.create(cronJob);
		reconcileAt("10:05:00");
		assertThat(this.jobs.list()).hasSize(1);
	}

	private void reconcileAt(String time) throws InterruptedException {
		this.clock.now = time(time).toInstant();
		settle();
		this.reconcilers.get("cronJobReconciler").trigger(KEY);
		settle();
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("cronJobReconciler").status().failing()).isEmpty();
	}

	private void finish(String name, String condition) {
		this.jobs.edit(name, (job) -> job
			.setStatus(new V1JobStatus().addConditionsItem(new V1JobCondition().type(condition).status("True"))));
	}

	private CronJob.Status status() {
		return this.cronJobs.get("report").status;
	}

	private List<String> names() {
		return this.jobs.list().stream().map((job) -> job.getMetadata().getName()).toList();
	}

	private static OffsetDateTime time(String time) {
		return LocalTime.parse(time).atDate(LocalDate.of(2026, 1, 1)).atOffset(ZoneOffset.UTC);
	}

	/**
	 * A CronJob of each fifth minute, which started a Job at 10:00 for the last time.
	 */
	private CronJob cronJob() {
		this.clock.now = time("10:00:00").toInstant();
		CronJob cronJob = new CronJob();
		cronJob.getMetadata().namespace("default").name("report");
		cronJob.spec.schedule = "*/5 * * * *";
		V1Container container = new V1Container().name("report").image("busybox");
		cronJob.spec.jobTemplate = new V1JobTemplateSpec().spec(new V1JobSpec().template(
				new V1PodTemplateSpec().spec(new V1PodSpec().restartPolicy("OnFailure").addContainersItem(container))));
		cronJob.status = new CronJob.Status();
		cronJob.status.lastScheduleTime = time("10:00:00");
		return cronJob;
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class TestClock {

		@Bean
		@Primary
		AdjustableClock adjustableClock() {
			return new AdjustableClock();
		}

	}

	static class AdjustableClock extends Clock {

		volatile Instant now = Instant.EPOCH;

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException("The clock shows UTC only");
		}

	}

}
