package dev.kubeinformer.spring.test;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.test.InformersConfiguration.PodHandler;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the reset after each test method.
 */
@Tag("slow")
class EmbeddedKubernetesResetTests {

	private final TestContextManager manager = new TestContextManager(ResetCase.class);

	private ApplicationContext context;

	private EmbeddedKubernetes kubernetes;

	private PodHandler handler;

	@BeforeEach
	void load() {
		this.context = this.manager.getTestContext().getApplicationContext();
		this.kubernetes = this.context.getBean(EmbeddedKubernetes.class);
		this.handler = this.context.getBean(PodHandler.class);
		for (Informer<?> informer : this.context.getBean(Informers.class).all()) {
			await().until(informer::hasSynced);
		}
	}

	@AfterEach
	void close() {
		this.manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
	}

	@Test
	void resetShouldWaitForASlowHandler() throws Exception {
		create("one");
		CountDownLatch gate = this.handler.close();
		CompletableFuture<Void> reset = CompletableFuture.runAsync(this::reset);
		await().until(() -> this.context.getBean(InformerHandlerRegistry.class)
			.get("podHandler")
			.status()
			.handling() != null);
		assertThat(reset).isNotDone();
		gate.countDown();
		reset.join();
		assertThat(this.handler.calls()).containsExactly("ADD one", "DELETE one");
	}

	@Test
	void resetShouldNameTheHandlerThatLagsBehind() throws Exception {
		create("one");
		create("two");
		CountDownLatch gate = this.handler.close();
		assertThatExceptionOfType(ResetTimeoutException.class).isThrownBy(this::reset)
			.withMessageContaining("after 5 s handler 'podHandler' of informer 'pods' has 1 events waiting, "
					+ "is busy with 'default/one' since ")
			.withMessageEndingWith("would affect the next test.");
		gate.countDown();
	}

	@Test
	@Tag("slow")
	void resetShouldNameTheInformerThatLagsBehind() {
		create("one");
		this.context.getBean(PodsOutOfReach.class).begin();
		this.kubernetes.dropConnections();
		assertThatExceptionOfType(ResetTimeoutException.class).isThrownBy(this::reset)
			.withMessageContaining("informer 'pods' is ")
			.withMessageContaining(" and has not seen '");
	}

	@Test
	void everyInformerShouldSeeTheRevisionAlsoIfNothingOfItsOwnChanged() {
		create("one");
		this.kubernetes.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("node")));
		this.kubernetes.resources(V1Secret.class).create(new V1Secret().metadata(new V1ObjectMeta().name("unwatched")));
		List<Instant> synced = syncTimes();
		reset();
		assertThat(this.context.getBean(Informers.class).all()).hasSizeGreaterThan(2)
			.extracting(Informer::lastSyncResourceVersion, (informer) -> informer.status().lists().total())
			.containsOnly(tuple(this.kubernetes.resourceVersion(), 1L));
		assertThat(syncTimes()).as("none was started afresh").isEqualTo(synced);
		assertThat(this.kubernetes.resources(V1Secret.class).list()).isEmpty();
	}

	@Test
	void whatHandlersWriteInAnswerToTheDeletesShouldBeDeletedToo() {
		this.kubernetes.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("node")));
		reset();
		assertThat(this.kubernetes.resources(V1ConfigMap.class).list()).isEmpty();
	}

	@Test
	void faultsShouldBeClearedFirstAndTheServerServe() {
		create("one");
		this.kubernetes.faults().on(Requests.watch("pods")).status(503);
		this.kubernetes.stopServing();
		reset();
		assertThat(this.handler.calls()).containsExactly("ADD one", "DELETE one");
		assertThat(this.kubernetes.requests()).isEmpty();
	}

	@Test
	void informersThatWaitBecauseOfAFaultShouldNotHoldTheResetUp() {
		create("one");
		Informer<V1Pod> pods = this.context.getBean(Informers.class).informer(V1Pod.class);
		this.kubernetes.faults().on(Requests.of("pods")).status(403);
		this.kubernetes.dropConnections();
		await().until(() -> pods.state() == InformerState.FORBIDDEN);
		reset();
		assertThat(pods.state()).isEqualTo(InformerState.LIVE);
		assertThat(this.handler.calls()).containsExactly("ADD one", "DELETE one");
	}

	@Test
	void informerThatWasStartedUnderAFaultShouldNotHoldTheResetUp() {
		Informer<V1Pod> pods = this.context.getBean(Informers.class).informer(V1Pod.class);
		pods.stop();
		this.kubernetes.faults().on(Requests.of("pods")).status(503);
		pods.run();
		// The next pause is longer than the limit of a reset.
		await().until(() -> this.kubernetes.requests().stream().filter(Requests.of("pods")).count() >= 5);
		assertThat(pods.state()).isEqualTo(InformerState.SYNCING);
		reset();
		assertThat(pods.state()).isEqualTo(InformerState.LIVE);
	}

	@Test
	void informerOfAResourceThatNobodyServesShouldNotHoldTheResetUp() {
		Informer<?> gadgets = this.context.getBean(Informers.class)
			.informer(InformerSpec.dynamic("none.example.com", "v1", "gadgets"));
		await().until(() -> gadgets.state() == InformerState.NOT_FOUND);
		reset();
		assertThat(gadgets.state()).isEqualTo(InformerState.NOT_FOUND);
	}

	@Test
	void resetShouldComeBeforeThatOfMocks() {
		// The last listener is the first one after a test.
		assertThat(this.manager.getTestExecutionListeners()).last()
			.isInstanceOf(EmbeddedKubernetesTestExecutionListener.class);
	}

	@Test
	void stoppedInformersShouldNotBeWaitedFor() {
		this.context.getBean(Informers.class).stop();
		this.kubernetes.resources(V1Pod.class).create(InformersConfiguration.pod("one"));
		reset();
		assertThat(this.kubernetes.resources(V1Pod.class).list()).isEmpty();
	}

	private List<Instant> syncTimes() {
		return this.context.getBean(Informers.class)
			.all()
			.stream()
			.map((informer) -> informer.status().sync().syncedAt())
			.toList();
	}

	private void create(String name) {
		this.kubernetes.resources(V1Pod.class).create(InformersConfiguration.pod(name));
		await().until(() -> this.handler.calls().contains("ADD " + name));
	}

	private void reset() {
		try {
			this.manager.beforeTestMethod(this, ResetCase.class.getDeclaredMethod("test"));
			this.manager.afterTestMethod(this, ResetCase.class.getDeclaredMethod("test"), null);
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SpringJUnitConfig(ResetConfiguration.class)
	@EmbeddedKubernetesTest
	static class ResetCase {

		void test() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ InformersConfiguration.class, NodeHandler.class, PodsOutOfReach.class })
	static class ResetConfiguration {

		@Bean
		List<Lister<?>> listers(Lister<V1ConfigMap> configMaps) {
			return List.of(configMaps);
		}

	}

	/**
	 * A network that does not let requests for pods through any more.
	 */
	static class PodsOutOfReach implements BeanPostProcessor {

		private volatile boolean begun;

		void begin() {
			this.begun = true;
		}

		@Override
		public Object postProcessBeforeInitialization(Object bean, String beanName) {
			if (bean instanceof EmbeddedApiClient client) {
				client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this::intercept).build());
			}
			return bean;
		}

		private Response intercept(Interceptor.Chain chain) throws IOException {
			if (this.begun && chain.request().url().encodedPath().endsWith("/pods")) {
				throw new IOException("Out of reach");
			}
			return chain.proceed(chain.request());
		}

	}

	/**
	 * Handler that notes deletes of nodes in config maps.
	 */
	@InformerHandler(id = "nodeHandler")
	static class NodeHandler {

		private final EmbeddedKubernetes kubernetes;

		NodeHandler(EmbeddedKubernetes kubernetes) {
			this.kubernetes = kubernetes;
		}

		@OnDelete
		void removed(V1Node node) {
			this.kubernetes.resources(V1ConfigMap.class)
				.create(new V1ConfigMap().metadata(new V1ObjectMeta().name(node.getMetadata().getName())));
		}

	}

}
