package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Waiting until a cache has seen a version, such as that of a write of one's own.
 */
class ReadYourWritesTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration SHORT = Duration.ofMillis(100);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.bookmarkInterval(Duration.ofMillis(200))
		.start();

	private final Informers informers = informers(this.api.url());

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void writeThatWasAwaitedIsInTheCache() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		create("blog", "a");
		for (int i = 0; i < 100; i++) {
			V1Pod written = this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "v" + i));
			assertThat(pods.await(written, LONG)).isTrue();
			assertThat(pods.lister().get("blog/a").getMetadata().getLabels()).containsEntry("app", "v" + i);
		}
	}

	@Test
	void deleteThatWasAwaitedIsGoneFromTheCache() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		assertThat(pods.await(create("blog", "a"), LONG)).isTrue();
		assertThat(pods.await(this.api.resources(V1Pod.class).delete("blog", "a"), LONG)).isTrue();
		assertThat(pods.lister().get("blog/a")).isNull();
	}

	@Test
	void clusterScopedWriteIsAwaitedToo() throws InterruptedException {
		Informer<V1Node> nodes = this.informers.informer(V1Node.class);
		this.informers.start();
		V1Node node = this.api.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("n1")));
		assertThat(nodes.await(node, LONG)).isTrue();
		assertThat(nodes.lister().get("n1")).isNotNull();
	}

	@Test
	void bookmarkWakesWhoeverWaitsForItsVersion() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		createElsewhere();
		assertThat(pods.awaitResourceVersion(this.api.resourceVersion(), LONG)).isTrue();
		assertThat(pods.snapshot().size()).isZero();
	}

	@Test
	void relistWakesWhoeverWaitsForAnOlderVersion() throws Exception {
		Informer<V1Pod> pods = startPods();
		this.api.stopServing();
		V1Pod written = create("blog", "a");
		createElsewhere();
		this.api.compact();
		Future<Boolean> waiting = inBackground(() -> pods.await(written, LONG));
		this.api.resumeServing();
		assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
		assertThat(pods.lister().get("blog/a")).isNotNull();
		assertThat(pods.status().lists().total()).isEqualTo(2);
	}

	@Test
	void versionThatDoesNotComeIsAwaitedForTheGivenTimeOnly() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		long before = System.nanoTime();
		assertThat(pods.awaitResourceVersion("999999", SHORT)).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(SHORT, Duration.ofSeconds(5));
		assertThat(pods.awaitResourceVersion("999999", Duration.ZERO)).isFalse();
		assertThat(pods.awaitResourceVersion(pods.lastSyncResourceVersion(), Duration.ZERO)).isTrue();
	}

	@Test
	void whoeverWaitsBeforeTheStartWaitsForTheStart() throws Exception {
		V1Pod written = create("blog", "a");
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		Future<Boolean> waiting = inBackground(() -> pods.await(written, Duration.ofSeconds(Long.MAX_VALUE)));
		this.informers.start();
		assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void ofSeveralNamespacesTheSlowestCountsExceptForItsOwnObjects() throws InterruptedException {
		Fault fault = this.api.faults().on(Requests.of("pods").inNamespace("shop")).status(500);
		Informer<V1Pod> pods = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("blog", "shop"));
		this.informers.start();
		V1Pod inShop = create("shop", "b");
		V1Pod inBlog = create("blog", "a");
		assertThat(pods.await(inBlog, LONG)).isTrue();
		assertThat(pods.await(inShop, SHORT)).isFalse();
		assertThat(pods.awaitResourceVersion(inShop.getMetadata().getResourceVersion(), SHORT)).isFalse();
		assertThat(pods.status().cache().resourceVersion()).isEmpty();
		fault.remove();
		assertThat(pods.await(inShop, LONG)).isTrue();
		assertThat(pods.awaitResourceVersion(inBlog.getMetadata().getResourceVersion(), LONG)).isTrue();
	}

	@Test
	void writesThatTheInformerNeverSeesAreRefusedByName() {
		Informer<V1Pod> pods = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("blog", "shop"));
		V1Pod elsewhere = create("other", "c");
		assertThatIllegalArgumentException().isThrownBy(() -> pods.await(elsewhere, LONG))
			.withMessageContaining("'other/c'")
			.withMessageContaining("[blog, shop]");
		assertThatIllegalArgumentException().isThrownBy(() -> pods.await(pod("blog", "a"), LONG))
			.withMessageContaining("'blog/a' has no resourceVersion");
		assertThatIllegalArgumentException().isThrownBy(() -> pods.await(new V1Pod(), LONG))
			.withMessageContaining("no resourceVersion");
		assertThatIllegalArgumentException().isThrownBy(() -> pods.await(new V1Node(), LONG))
			.withMessageContaining("'pods'")
			.withMessageContaining("V1Node");
		assertThatIllegalArgumentException().isThrownBy(() -> pods.awaitResourceVersion("", LONG))
			.withMessageContaining("empty");
	}

	@Test
	void transformAndIndexFunctionThatWouldWaitForThemselvesFailAtOnce() throws InterruptedException {
		AtomicReference<Throwable> inTransform = new AtomicReference<>();
		AtomicReference<Throwable> inIndexFunction = new AtomicReference<>();
		V1Pod written = create("blog", "a");
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.setTransform((object) -> {
			inTransform.set(thrownBy(() -> pods.await(written, LONG)));
			return object;
		});
		pods.addIndexers(Map.of("index", (pod) -> {
			inIndexFunction.set(thrownBy(() -> pods.awaitResourceVersion("999999", LONG)));
			return List.of();
		}));
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(inTransform.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("'pods'");
		assertThat(inIndexFunction.get()).isInstanceOf(IllegalStateException.class);
	}

	@Test
	void handlerMayWaitForItsOwnWrites() {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		CompletableFuture<Boolean> seen = new CompletableFuture<>();
		pods.addHandler((ResourceEvent<V1Pod> event) -> {
			if (event.type() == ResourceEvent.Type.ADD) {
				V1Pod written = this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "new"));
				seen.complete(pods.await(written, LONG));
			}
		}, HandlerOptions.defaults());
		this.informers.start();
		create("blog", "a");
		assertThat(seen).succeedsWithin(LONG).isEqualTo(true);
	}

	@Test
	void stopWakesThoseWhoWaitAndIsNotHeldUpByThem() throws Exception {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		CountDownLatch entered = new CountDownLatch(1);
		CompletableFuture<Boolean> inHandler = new CompletableFuture<>();
		pods.addHandler((ResourceEvent<V1Pod> event) -> {
			entered.countDown();
			inHandler.complete(pods.awaitResourceVersion("999999", LONG));
		}, HandlerOptions.defaults());
		this.informers.start();
		create("blog", "a");
		Future<Boolean> outside = inBackground(() -> pods.awaitResourceVersion("999999", LONG));
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		assertThat(inHandler).succeedsWithin(LONG).isEqualTo(false);
		assertThat(outside.get(30, TimeUnit.SECONDS)).isFalse();
		V1Pod written = create("blog", "b");
		Future<Boolean> afterwards = inBackground(() -> pods.await(written, LONG));
		this.informers.start();
		assertThat(afterwards.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void waitMayBeInterrupted() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		Thread waiting = new Thread(() -> thrown.set(thrownBy(() -> pods.awaitResourceVersion("999999", LONG))),
				"waits");
		waiting.start();
		waiting.interrupt();
		waiting.join(LONG.toMillis());
		assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
	}

	private Informer<V1Pod> startPods() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		return pods;
	}

	private V1Pod create(String namespace, String name) {
		return this.api.resources(V1Pod.class).create(pod(namespace, name));
	}

	private void createElsewhere() {
		this.api.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("blog").name("elsewhere")));
	}

	/** Calls in a thread of its own, and returns when that thread waits. */
	private static Future<Boolean> inBackground(Call call) {
		FutureTask<Boolean> task = new FutureTask<>(call::call);
		Thread thread = new Thread(task, "waits");
		thread.setDaemon(true);
		thread.start();
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING || task.isDone());
		return task;
	}

	private static Throwable thrownBy(Call call) {
		try {
			call.call();
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	@FunctionalInterface
	private interface Call {

		boolean call() throws Exception;

	}

}
