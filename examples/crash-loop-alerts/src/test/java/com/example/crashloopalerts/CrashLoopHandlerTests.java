package com.example.crashloopalerts;

import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateRunning;
import io.kubernetes.client.openapi.models.V1ContainerStateTerminated;
import io.kubernetes.client.openapi.models.V1ContainerStateWaiting;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1DeploymentStrategy;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole application on a Kubernetes API server in memory. The test writes what
 * a kubelet would write.
 */
@SpringBootTest(properties = { "spring.main.cloud-platform=kubernetes", "kubernetes.informers.retry.delay=10ms" })
@EmbeddedKubernetesTest(namespace = "crash-loop-alerts")
class CrashLoopHandlerTests {

	private static final WebhookReceiver receiver = new WebhookReceiver();

	private ApiResources<V1Pod> pods;

	@Autowired
	private Informer<V1Pod> cache;

	@Autowired
	private InformerHandlerRegistry handlers;

	@DynamicPropertySource
	static void webhook(DynamicPropertyRegistry properties) {
		properties.add("alerts.webhook", receiver::url);
	}

	@BeforeEach
	void createThePod(ApiResources<V1Pod> pods) {
		receiver.alerts().clear();
		this.pods = pods;
		this.pods.create(pod());
	}

	@Test
	void oneAlertIsSentForALoop() throws InterruptedException {
		crash(1, Duration.ofSeconds(3));
		await().untilAsserted(() -> assertThat(receiver.alerts()).hasSize(1));
		assertThat(receiver.alerts().get(0)).isEqualTo(
				"{\"namespace\":\"shop\",\"pod\":\"web-1\",\"container\":\"web\",\"restarts\":1,\"exitCode\":137}");
		run(Duration.ZERO, terminated(Duration.ofSeconds(3)));
		crash(2, Duration.ofSeconds(3));
		run(Duration.ZERO, terminated(Duration.ofSeconds(3)));
		crash(3, Duration.ofSeconds(3));
		awaitTheHandler();
		assertThat(receiver.alerts()).hasSize(1);
	}

	@Test
	void loopThatBeginsAfterALongRunIsReported() throws InterruptedException {
		crash(1, Duration.ofSeconds(3));
		await().untilAsserted(() -> assertThat(receiver.alerts()).hasSize(1));
		run(Duration.ofMinutes(9), null);
		awaitTheHandler();
		assertThat(annotations()).containsKey("crash-loop.example.com/web");
		run(Duration.ofMinutes(10), null);
		await().untilAsserted(() -> assertThat(annotations()).isNullOrEmpty());
		// The kubelet restarts it at once, so the next loop shows only short runs.
		run(Duration.ZERO, terminated(Duration.ofDays(2)));
		crash(3, Duration.ofSeconds(3));
		await().untilAsserted(() -> assertThat(receiver.alerts()).hasSize(2));
	}

	@Test
	void longRunThatEndedBetweenTwoResyncsCounts() {
		crash(1, Duration.ofSeconds(3));
		await().untilAsserted(() -> assertThat(annotations()).isNotEmpty());
		run(Duration.ZERO, terminated(Duration.ofMinutes(12)));
		await().untilAsserted(() -> assertThat(annotations()).isNullOrEmpty());
	}

	@Test
	void alertIsNotRepeatedWhileTheAnnotationIsRefused(EmbeddedKubernetes kubernetes) throws InterruptedException {
		Fault refusal = kubernetes.faults().on(Requests.patch("pods")).times(3).status(500);
		crash(1, Duration.ofSeconds(3));
		await().untilAsserted(() -> assertThat(annotations()).isNotEmpty());
		awaitTheHandler();
		assertThat(refusal.hits()).isEqualTo(3);
		assertThat(receiver.alerts()).hasSize(1);
	}

	@Test
	void alertIsSentAgainUntilTheWebhookAcceptsIt() {
		receiver.failNext(3);
		crash(1, Duration.ofSeconds(3));
		await().untilAsserted(() -> assertThat(receiver.alerts()).hasSize(1));
		assertThat(receiver.failuresLeft()).isZero();
	}

	@Test
	void restartOfTheApplicationRepeatsNoAlert() throws InterruptedException {
		crash(1, Duration.ofSeconds(3));
		await().untilAsserted(() -> assertThat(receiver.alerts()).hasSize(1));
		awaitTheHandler();
		this.handlers.get("crashLoopHandler").stop();
		this.handlers.get("crashLoopHandler").start();
		awaitTheHandler();
		assertThat(receiver.alerts()).hasSize(1);
	}

	@Test
	void podThatStartsSlowlyIsNoAlert() throws InterruptedException {
		write(new V1ContainerState().waiting(new V1ContainerStateWaiting().reason("ContainerCreating")), null, 0);
		awaitTheHandler();
		assertThat(receiver.alerts()).isEmpty();
	}

	/**
	 * {@code mvn test -Dkubernetes.manifests.write=true} writes them, for the
	 * configuration that the application has in a pod.
	 */
	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withImage("registry.example.com/crash-loop-alerts:0.0.1")
			.withRule(new RequiredRbac("", "pods", List.of(), List.of("patch"), null))
			// Two pods would send each message twice.
			.withDeployment((deployment) -> deployment.getSpec().strategy(new V1DeploymentStrategy().type("Recreate")))
			.assertUpToDate(Path.of("src/main/k8s"));
	}

	/**
	 * Waits until the cache has all changes of the pod, and the handler has handled them.
	 */
	private void awaitTheHandler() throws InterruptedException {
		assertThat(this.cache.await(this.pods.get("shop", "web-1"), Duration.ofSeconds(30))).isTrue();
		await().until(() -> {
			HandlerStatus status = this.handlers.get("crashLoopHandler").status();
			return status.sync().synced() && status.queue().size() == 0 && status.handling() == null;
		});
	}

	private Map<String, String> annotations() {
		return this.pods.get("shop", "web-1").getMetadata().getAnnotations();
	}

	private void crash(int restarts, Duration ran) {
		write(new V1ContainerState().waiting(new V1ContainerStateWaiting().reason("CrashLoopBackOff")), terminated(ran),
				restarts);
	}

	private static V1ContainerState terminated(Duration ran) {
		OffsetDateTime end = OffsetDateTime.parse("2026-01-01T12:00:00Z");
		return new V1ContainerState()
			.terminated(new V1ContainerStateTerminated().exitCode(137).startedAt(end.minus(ran)).finishedAt(end));
	}

	private void run(Duration since, V1ContainerState lastState) {
		write(new V1ContainerState()
			.running(new V1ContainerStateRunning().startedAt(OffsetDateTime.now().minus(since))), lastState, 2);
	}

	private void write(V1ContainerState state, V1ContainerState lastState, int restarts) {
		this.pods.edit("shop", "web-1",
				(pod) -> pod.setStatus(new V1PodStatus().addContainerStatusesItem(new V1ContainerStatus().name("web")
					.image("web:1")
					.imageID("")
					.ready(false)
					.restartCount(restarts)
					.state(state)
					.lastState(lastState))));
	}

	static V1Pod pod() {
		return Yaml.loadAs("""
				apiVersion: v1
				kind: Pod
				metadata: { name: web-1, namespace: shop }
				spec:
				  containers: [{ name: web, image: "web:1" }]
				""", V1Pod.class);
	}

}
