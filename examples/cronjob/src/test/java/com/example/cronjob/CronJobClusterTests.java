package com.example.cronjob;

import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.UUID;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.BatchV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the controller on the cluster of {@code -Dkubeconfig}, in a namespace of its own.
 * The cluster need not run Jobs: the test writes their status.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true",
		"kubernetes.definitions.apply=true" })
@Import(CronJobReconcilerTests.TestClock.class)
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class CronJobClusterTests {

	private final String namespace = "cronjob-" + UUID.randomUUID();

	@Autowired
	private ApiClient client;

	@Autowired
	private Lister<CronJob> cronJobs;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@Autowired
	private CronJobReconcilerTests.AdjustableClock clock;

	@BeforeEach
	void createNamespace() throws ApiException {
		new CoreV1Api(this.client).createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace)))
			.execute();
	}

	@AfterEach
	void deleteNamespace() throws ApiException {
		new CoreV1Api(this.client).deleteNamespace(this.namespace).execute();
	}

	@Test
	void jobStartsAndFinishes() throws ApiException {
		OffsetDateTime created = create().getMetadata().getCreationTimestamp();
		this.clock.now = created.plusDays(1).toInstant();
		this.reconcilers.get("cronJobReconciler").trigger(new ObjectKey(this.namespace, "report"));
		await().untilAsserted(() -> assertThat(status().active).hasSize(1));
		assertThat(status().lastScheduleTime).isAfter(created);
		BatchV1Api batch = new BatchV1Api(this.client);
		V1Job job = batch.readNamespacedJob(status().active.get(0), this.namespace).execute();
		assertThat(job.getSpec().getTemplate().getSpec().getContainers()).hasSize(1);
		job.setStatus(new V1JobStatus().startTime(created)
			.completionTime(created)
			.succeeded(1)
			.addConditionsItem(new V1JobCondition().type("SuccessCriteriaMet").status("True"))
			.addConditionsItem(new V1JobCondition().type("Complete").status("True")));
		batch.replaceNamespacedJobStatus(job.getMetadata().getName(), this.namespace, job).execute();
		await().untilAsserted(() -> assertThat(status().active).isEmpty());
	}

	private CronJob create() throws ApiException {
		CronJob cronJob = new CronJob();
		cronJob.getMetadata().setName("report");
		cronJob.spec.schedule = "@hourly";
		V1Container container = new V1Container().name("report").image("busybox");
		cronJob.spec.jobTemplate = new V1JobTemplateSpec().spec(new V1JobSpec().template(
				new V1PodTemplateSpec().spec(new V1PodSpec().restartPolicy("OnFailure").addContainersItem(container))));
		new CustomObjectsApi(this.client)
			.createNamespacedCustomObject("batch.example.com", "v1", this.namespace, "cronjobs", cronJob)
			.execute();
		await().until(() -> this.cronJobs.namespace(this.namespace).get("report") != null);
		return this.cronJobs.namespace(this.namespace).get("report");
	}

	// There is no status before the first run.
	private CronJob.Status status() {
		return Objects.requireNonNullElseGet(this.cronJobs.namespace(this.namespace).get("report").status,
				CronJob.Status::new);
	}

}
