package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.StringUtils;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.event.InformersSyncedEvent;
import dev.kubeinformer.spring.leader.LeadershipGrantedEvent;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of applications that are closed by one of their own callbacks, which the stop
 * must not wait for.
 */
@ExtendWith(OutputCaptureExtension.class)
class SelfStopTests {

	/** Less than the shortest limit of a stop, which is the drain timeout. */
	private static final Duration SOON = Duration.ofSeconds(12);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
		.withPropertyValues("kubernetes.informers.shutdown.drain-timeout=20s")
		.withBean(Exit.class);

	private final ApplicationContextRunner leader = this.runner.withPropertyValues("kubernetes.leader.enabled=true",
			"kubernetes.leader.lease.namespace=web", "kubernetes.leader.lease.name=one");

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlerShouldNotBeWaitedFor(CapturedOutput output) {
		pod("one");
		assertExits(this.runner.withBean(PodHandler.class));
		assertThat(output).doesNotContain("stops; waits", "was interrupted");
	}

	@Test
	void oneOfSeveralWorkersShouldNotBeWaitedFor() {
		pod("one");
		assertExits(this.runner.withBean(PodHandler.class).withPropertyValues("kubernetes.informers.concurrency=3"));
	}

	@Test
	void leaderOnlyHandlerShouldNotBeWaitedFor() {
		pod("one");
		assertExits(this.leader.withBean(LeaderHandler.class));
		assertLeaseIsReleased();
	}

	@Test
	void handlerOfANamedClusterShouldNotBeWaitedFor() {
		pod("one");
		assertExits(this.runner.withBean(EdgeHandler.class)
			.withPropertyValues("kubernetes.clusters.edge.url=" + this.kubernetes.url()));
	}

	@Test
	void errorHandlerShouldNotBeWaitedFor() {
		pod("one");
		assertExits(this.runner.withPropertyValues("kubernetes.informers.retry.max-retries=0")
			.withBean(FailingHandler.class)
			.withBean(ErrorHandler.class));
	}

	@Test
	void reconcilerShouldNotBeWaitedFor(CapturedOutput output) {
		pod("one");
		assertExits(this.runner.withBean(PodReconciler.class));
		assertThat(output).doesNotContain("stops; waits", "was interrupted");
	}

	@Test
	void reconcilerOfTheLeaderShouldNotBeWaitedFor() {
		pod("one");
		assertExits(this.leader.withBean(PodReconciler.class));
		assertLeaseIsReleased();
	}

	@Test
	void cleanupShouldNotBeWaitedFor() {
		pod("one");
		assertExits(this.runner.withBean(CleaningReconciler.class));
	}

	@Test
	void handlerShouldNotBeWaitedForByTheRemovalOfItsCluster() {
		pod("one");
		this.runner.withBean(RemovingHandler.class).run((context) -> {
			context.getBean(InformerClusters.class).add("edge", context.getBean(ApiClient.class));
			assertThat(context.getBean(Exit.class).time.get(60, TimeUnit.SECONDS)).isLessThan(SOON);
		});
	}

	@Test
	void listenerOfReconcilersShouldNotBeWaitedFor() {
		pod("one");
		assertExits(this.runner.withBean(IdleReconciler.class).withBean(RunListener.class));
	}

	@Test
	void listenerOfInformersShouldNotBeWaitedFor() {
		assertExits(this.runner.withBean(MapHandler.class).withBean(StateListener.class), this.kubernetes::stopServing);
	}

	@Test
	void listenerOfANamedClusterShouldNotBeWaitedFor() {
		assertExits(
				this.runner.withBean(EdgeMapHandler.class)
					.withBean(StateListener.class)
					.withPropertyValues("kubernetes.clusters.edge.url=" + this.kubernetes.url()),
				this.kubernetes::stopServing);
	}

	@Test
	void listenerShouldEndTheStartOfTheOtherInformers() {
		CompletableFuture<ClusterRuntimes> clusters = new CompletableFuture<>();
		long began = System.nanoTime();
		this.runner.withBean(MapHandler.class)
			.withBean(AllMapHandler.class)
			.withBean(StartListener.class)
			.withBean("clusters", CompletableFuture.class, () -> clusters)
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true",
					"kubernetes.clusters.edge-1.url=" + this.kubernetes.url(),
					"kubernetes.clusters.edge-2.url=" + this.kubernetes.url())
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(40));
		assertThat(clusters.join().all()).hasSize(3)
			.allSatisfy((cluster) -> assertThat(cluster.informers().isRunning()).isFalse());
		assertThat(clusters.join().all()).flatExtracting((cluster) -> cluster.informers().all())
			.extracting(Informer::state)
			.as("others may have started, if the first state is published by another thread")
			.hasSize(3)
			.contains(InformerState.STOPPED)
			.isSubsetOf(InformerState.STOPPED, InformerState.NEW);
	}

	@Test
	void listenerOfApplicationEventsShouldNotBeWaitedFor() {
		assertExits(this.runner.withBean(MapHandler.class).withBean(SyncedEventListener.class));
	}

	@Test
	void leaderOnlyMethodShouldNotBeWaitedFor(CapturedOutput output) {
		assertExits(this.leader.withUserConfiguration(Scheduling.class));
		assertLeaseIsReleased();
		assertThat(output).doesNotContain("still running");
	}

	@Test
	void listenerOfTheLeadershipShouldNotBeWaitedFor() {
		assertExits(this.leader.withBean(GrantListener.class));
	}

	@Test
	void listenerOfTheEventsOfTheLeadershipShouldNotBeWaitedFor() {
		assertExits(this.leader.withBean(GrantedEventListener.class));
	}

	private void assertLeaseIsReleased() {
		await().atMost(SOON)
			.until(() -> !StringUtils
				.hasText(this.kubernetes.resources(V1Lease.class).get("web", "one").getSpec().getHolderIdentity()));
	}

	private void pod(String name) {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", name));
	}

	private static void assertExits(ApplicationContextRunner runner) {
		assertExits(runner, () -> {
		});
	}

	private static void assertExits(ApplicationContextRunner runner, Runnable cause) {
		CompletableFuture<Duration> ended = new CompletableFuture<>();
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			if (context.containsBean("selfStopTests.StateListener")) {
				await().until(() -> context.getBean(StateListener.class).isLive());
			}
			Exit exit = context.getBean(Exit.class);
			cause.run();
			ended.complete(exit.time.get(60, TimeUnit.SECONDS));
		});
		assertThat(ended.join()).isLessThan(SOON);
	}

	/** Ends the application, and measures the time that this takes. */
	static class Exit {

		private final CompletableFuture<Duration> time = new CompletableFuture<>();

		private final ApplicationContext context;

		Exit(ApplicationContext context) {
			this.context = context;
		}

		void now() {
			measure(() -> SpringApplication.exit(this.context));
		}

		void measure(Runnable stop) {
			long begin = System.nanoTime();
			stop.run();
			this.time.complete(Duration.ofNanos(System.nanoTime() - begin));
		}

	}

	@InformerHandler
	record PodHandler(Exit exit) {

		@OnAdd
		void added(V1Pod pod) {
			this.exit.now();
		}

	}

	@InformerHandler(leaderOnly = "true")
	record LeaderHandler(Exit exit) {

		@OnAdd
		void added(V1Pod pod) {
			this.exit.now();
		}

	}

	@InformerHandler(cluster = "edge")
	record EdgeHandler(Exit exit) {

		@OnAdd
		void added(V1Pod pod) {
			this.exit.now();
		}

	}

	@InformerHandler(cluster = "*")
	record RemovingHandler(Exit exit, ObjectProvider<InformerClusters> clusters) {

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			if (event.cluster().equals("edge")) {
				this.exit.measure(() -> this.clusters.getObject().remove("edge"));
			}
		}

	}

	@InformerHandler
	record MapHandler() {

		@OnAdd
		void added(V1ConfigMap map) {
		}

	}

	@InformerHandler(cluster = "edge")
	record EdgeMapHandler() {

		@OnAdd
		void added(V1ConfigMap map) {
		}

	}

	@InformerHandler(cluster = "*")
	record AllMapHandler() {

		@OnAdd
		void added(V1ConfigMap map) {
		}

	}

	@InformerHandler
	record FailingHandler() {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalStateException("on purpose");
		}

	}

	record ErrorHandler(Exit exit) implements InformerErrorHandler {

		@Override
		public void handle(ResourceEvent<?> event, Throwable failure, InformerHandlerContainer handler) {
			this.exit.now();
		}

	}

	@Reconciler
	record PodReconciler(Exit exit) {

		@Reconcile
		void reconcile(V1Pod pod) {
			this.exit.now();
		}

	}

	@Reconciler
	record CleaningReconciler(Exit exit, ApiClient client) {

		@Reconcile
		void reconcile(V1Pod pod) throws ApiException {
			new CoreV1Api(this.client).deleteNamespacedPod("one", "web").execute();
		}

		@OnCleanup
		void clean(V1Pod pod) {
			this.exit.now();
		}

	}

	@Reconciler
	record IdleReconciler() {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	record RunListener(Exit exit) implements ReconcilerListener {

		@Override
		public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
			this.exit.now();
		}

	}

	/** Ends the application when the connection of a started informer is lost. */
	record StateListener(Exit exit, ClusterRuntimes clusters) implements InformerListener, InitializingBean {

		@Override
		public void afterPropertiesSet() {
			this.clusters.all().forEach((cluster) -> cluster.informers().addListener(this));
		}

		boolean isLive() {
			return this.clusters.all()
				.stream()
				.flatMap((cluster) -> cluster.informers().all().stream())
				.allMatch((informer) -> informer.status().state() == InformerState.LIVE);
		}

		@Override
		public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
			if (before == InformerState.LIVE && now == InformerState.STALE) {
				this.exit.now();
			}
		}

	}

	/** Closes the application when its first informer is started. */
	record StartListener(ConfigurableApplicationContext context, ClusterRuntimes clusters,
			CompletableFuture<ClusterRuntimes> started) implements InformerListener, InitializingBean {

		@Override
		public void afterPropertiesSet() {
			this.clusters.all().forEach((cluster) -> cluster.informers().addListener(this));
		}

		@Override
		public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
			if (this.started.complete(this.clusters)) {
				this.context.close();
			}
		}

	}

	record SyncedEventListener(Exit exit) {

		@EventListener
		void synced(InformersSyncedEvent event) {
			this.exit.now();
		}

	}

	record GrantListener(Exit exit, Leadership leadership) implements LeadershipListener, InitializingBean {

		@Override
		public void afterPropertiesSet() {
			this.leadership.addListener(this);
		}

		@Override
		public void granted(Leadership.Term term) {
			this.exit.now();
		}

	}

	record GrantedEventListener(Exit exit) {

		@EventListener
		void granted(LeadershipGrantedEvent event) {
			this.exit.now();
		}

	}

	@EnableScheduling
	static class Scheduling {

		@Bean
		Ticker ticker(Exit exit) {
			return new Ticker(exit);
		}

	}

	static class Ticker {

		private final Exit exit;

		Ticker(Exit exit) {
			this.exit = exit;
		}

		@LeaderOnly
		@Scheduled(fixedDelay = 100)
		void tick() {
			if (!this.exit.time.isDone()) {
				this.exit.now();
			}
		}

	}

}
