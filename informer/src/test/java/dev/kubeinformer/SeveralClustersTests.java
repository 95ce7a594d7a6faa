package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Informers of several clusters in one process.
 */
class SeveralClustersTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes hub = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final Informers ofHub = EngineTestSupport.informers(this.hub.url());

	private final Informers ofEdge = EngineTestSupport.informers(this.edge.url(), (builder) -> builder.cluster("edge"));

	@AfterEach
	void stop() {
		this.ofHub.reconcilers().all().forEach(ReconcilerContainer::stop);
		this.ofEdge.reconcilers().all().forEach(ReconcilerContainer::stop);
		this.ofHub.close();
		this.ofEdge.close();
		this.hub.close();
		this.edge.close();
	}

	@Test
	void idsShouldNameTheClusterUnlessItIsTheDefaultOne() {
		assertThat(this.ofHub.cluster()).isEqualTo("default");
		assertThat(this.ofEdge.cluster()).isEqualTo("edge");
		Informer<V1Pod> hubPods = this.ofHub.informer(V1Pod.class);
		Informer<V1Pod> edgePods = this.ofEdge.informer(V1Pod.class);
		assertThat(hubPods.id()).isEqualTo("pods");
		assertThat(hubPods.cluster()).isEqualTo("default");
		assertThat(hubPods.toString()).startsWith("Informer 'pods'");
		assertThat(edgePods.id()).isEqualTo("edge.pods");
		assertThat(edgePods.cluster()).isEqualTo("edge");
		assertThat(edgePods.spec().id()).isEqualTo("pods");
		assertThat(edgePods.toString()).startsWith("Informer 'edge.pods'");
		assertThat(this.ofEdge.informer(InformerSpec.of(V1Pod.class).named("mine")).id()).isEqualTo("edge.pods");
		assertThat(this.ofEdge.informer(InformerSpec.of(V1Pod.class).withNamespaces("web").named("mine")).id())
			.isEqualTo("edge.mine");
	}

	@Test
	void handlersWithoutAnIdShouldBeNamedAfterTheirCluster() {
		assertThat(this.ofHub.informer(V1Pod.class).addHandler((event) -> {
		}, HandlerOptions.defaults()).id()).isEqualTo("pods-handler-1");
		Informer<V1Pod> pods = this.ofEdge.informer(V1Pod.class);
		assertThat(pods.addHandler((event) -> {
		}, HandlerOptions.defaults()).id()).isEqualTo("edge.pods-handler-1");
		assertThat(pods.addHandler((event) -> {
		}, HandlerOptions.defaults().withId("mine")).id()).isEqualTo("mine");
	}

	@Test
	void eventsShouldNameTheClusterTheyComeFrom() {
		List<String> seen = new CopyOnWriteArrayList<>();
		for (Informers informers : List.of(this.ofHub, this.ofEdge)) {
			informers.informer(V1Pod.class)
				.addHandler((event) -> seen.add(event.cluster() + "/" + event.object().getMetadata().getName()),
						HandlerOptions.defaults());
			informers.start();
		}
		this.hub.resources(V1Pod.class).create(EngineTestSupport.pod("web", "here"));
		this.edge.resources(V1Pod.class).create(EngineTestSupport.pod("web", "there"));
		await().untilAsserted(() -> assertThat(seen).containsExactlyInAnyOrder("default/here", "edge/there"));
		assertThat(this.ofHub.lister(V1Pod.class).list()).extracting((pod) -> pod.getMetadata().getName())
			.containsExactly("here");
		assertThat(this.ofEdge.lister(V1Pod.class).list()).extracting((pod) -> pod.getMetadata().getName())
			.containsExactly("there");
	}

	@Test
	void threadsShouldNameTheCluster() throws InterruptedException {
		AtomicReference<String> handling = new AtomicReference<>();
		this.ofEdge.informer(V1Pod.class)
			.addHandler((event) -> handling.set(Thread.currentThread().getName()), HandlerOptions.defaults());
		this.ofEdge.start();
		assertThat(this.ofEdge.informer(V1Pod.class).awaitSync(LONG)).isTrue();
		this.edge.resources(V1Pod.class).create(EngineTestSupport.pod("web", "there"));
		await().untilAsserted(() -> assertThat(handling).hasValue("informer-edge.pods-handler-1-1"));
		assertThat(EngineTestSupport.engineThreads()).contains("informer-edge.pods-reflector")
			.noneMatch((name) -> name.startsWith("informer-pods"));
	}

	@Test
	void reconcilersOfOneIdShouldRunInEachCluster() throws InterruptedException {
		List<String> runs = new CopyOnWriteArrayList<>();
		ReconcilerSpec<V1Pod> spec = ReconcilerSpec.of("podReconciler", V1Pod.class, (pod, run) -> {
			runs.add("%s/%s by %s".formatted(run.cluster(), run.key().name(), Thread.currentThread().getName()));
			run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(run.key().name())));
			return Result.done();
		}).withOwned(V1ConfigMap.class);
		ReconcilerContainer here = this.ofHub.controller(spec);
		ReconcilerContainer there = this.ofEdge.controller(spec);
		assertThat(here.id()).isEqualTo("podReconciler");
		assertThat(there.id()).isEqualTo("edge.podReconciler");
		assertThat(there.spec().id()).isEqualTo("podReconciler");
		assertThat(there).hasToString("Reconciler 'edge.podReconciler'");
		assertThat(this.ofEdge.reconcilers().get("edge.podReconciler")).isSameAs(there);
		assertThatIllegalArgumentException().isThrownBy(() -> this.ofEdge.reconcilers().get("podReconciler"))
			.withMessage("No reconciler has the id 'podReconciler'; the reconcilers are [edge.podReconciler]");
		assertThatIllegalArgumentException().isThrownBy(() -> this.ofEdge.controller(spec))
			.withMessageContaining("'edge.podReconciler'");
		this.hub.resources(V1Pod.class).create(EngineTestSupport.pod("web", "a"));
		this.edge.resources(V1Pod.class).create(EngineTestSupport.pod("web", "b"));
		here.start();
		there.start();
		assertThat(here.awaitIdle(LONG)).isTrue();
		assertThat(there.awaitIdle(LONG)).isTrue();
		assertThat(runs).anyMatch((run) -> run.startsWith("default/a by reconciler-podReconciler-"))
			.anyMatch((run) -> run.startsWith("edge/b by reconciler-edge.podReconciler-"))
			.noneMatch((run) -> run.startsWith("default/b") || run.startsWith("edge/a"));
		assertThat(this.edge.resources(V1ConfigMap.class).list()).extracting((map) -> map.getMetadata().getName())
			.containsExactly("b");
		// The state in the API server does not depend on an application's names for its
		// clusters.
		assertThat(this.edge.requests()).filteredOn((request) -> request.method().equals("PATCH"))
			.extracting((RecordedRequest request) -> request.parameter("fieldManager"))
			.containsOnly(spec.fieldManager());
	}

	@Test
	void logShouldNameTheClusterOfAReconcilerThatFails() throws InterruptedException {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		Logger logger = (Logger) LoggerFactory.getLogger(ReconcilerContainer.class);
		logger.addAppender(log);
		try {
			ReconcilerContainer there = this.ofEdge.controller(ReconcilerSpec.of("broken", V1Pod.class, (pod, run) -> {
				throw new IllegalStateException("as the test wants it");
			}));
			this.edge.resources(V1Pod.class).create(EngineTestSupport.pod("web", "b"));
			there.start();
			await().untilAsserted(() -> assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
				.contains("Reconciler 'edge.broken' of 'web/b' failed in attempt 1"));
		}
		finally {
			logger.detachAppender(log);
		}
	}

	@Test
	void nameThatIsNoneShouldBeRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Informers.builder(EngineTestSupport.client(this.hub.url())).cluster("Edge.1"))
			.withMessageContaining("'Edge.1'");
	}

}
