package dev.kubeinformer;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Volume;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerSpecDefaults;
import dev.kubeinformer.informer.Snapshot;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Informers against the embedded API server, over real HTTP.
 */
class InformerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers = informers(this.api.url(), (builder) -> builder.listMode(ListMode.PAGED));

	private final Recorder<V1Pod> recorder = new Recorder<>();

	private final CountDownLatch gate = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.gate.countDown();
		this.informers.close();
		this.api.close();
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void handlerReceivesWhatIsThereAndWhatChanges() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		assertThat(this.recorder.delivered()).containsExactly("+a");
		assertThat(this.recorder.events().get(0).initial()).isTrue();
		create("b");
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "new"));
		this.api.resources(V1Pod.class).delete("blog", "b");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b", "~a", "-b"));
		ResourceEvent<V1Pod> update = this.recorder.events().get(2);
		assertThat(update.oldObject().getMetadata().getLabels()).containsEntry("app", "a");
		assertThat(update.object().getMetadata().getLabels()).containsEntry("app", "new");
		assertThat(this.recorder.events().get(1).initial()).isFalse();
		assertThat(this.recorder.events().get(3).finalStateUnknown()).isFalse();
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void requestsHaveTheShapeOfListAndWatch() throws InterruptedException {
		create("a");
		startPods();
		await().until(() -> this.api.openWatches() == 1);
		List<RecordedRequest> requests = this.api.requests();
		assertThat(requests).hasSize(2);
		assertThat(requests.get(0).path()).isEqualTo("/api/v1/pods");
		assertThat(requests.get(0).query()).containsEntry("resourceVersion", "0")
			.containsEntry("limit", "500")
			.hasSize(2);
		assertThat(requests.get(1).query()).containsEntry("watch", "true")
			.containsEntry("allowWatchBookmarks", "true")
			.containsEntry("resourceVersion", this.api.resourceVersion())
			.hasSize(4);
		assertThat(Integer.parseInt(requests.get(1).parameter("timeoutSeconds"))).isBetween(300, 600);
	}

	@Test
	void readersSeeTheCacheInEveryForm() throws InterruptedException {
		create("a");
		this.api.resources(V1Pod.class).create(pod("shop", "b"));
		Informer<V1Pod> pods = startPods();
		Lister<V1Pod> lister = this.informers.lister(V1Pod.class);
		assertThat(names(lister.list())).containsExactlyInAnyOrder("a", "b");
		assertThat(names(lister.namespace("shop").list())).containsExactly("b");
		assertThat(lister.namespace("blog").get("a").getMetadata().getName()).isEqualTo("a");
		assertThat(lister.namespace("blog").get("b")).isNull();
		assertThat(lister.get("blog/a")).isSameAs(pods.getIndexer().getByKey("blog/a"));
		Snapshot<V1Pod> snapshot = this.informers.snapshot(V1Pod.class);
		assertThat(snapshot.size()).isEqualTo(2);
		assertThat(snapshot.keys()).containsExactlyInAnyOrder("blog/a", "shop/b");
		assertThat(names(snapshot.list("blog"))).containsExactly("a");
		assertThat(snapshot.get("shop", "b")).isSameAs(snapshot.get("shop/b"));
		assertThat(snapshot.resourceVersion()).isEqualTo(pods.lastSyncResourceVersion());
		assertThat(pods.getIndexer().indexKeys("namespace", "shop")).containsExactly("shop/b");
		assertThat(names(pods.getIndexer().index("namespace", pod("blog", "x")))).containsExactly("a");
		assertThatIllegalArgumentException().isThrownBy(() -> snapshot.byIndex("nope", "x"))
			.withMessageContaining("'nope'");
	}

	@Test
	void cachedObjectsAreSelectedByTheirLabels() throws InterruptedException {
		create("a");
		create("b");
		this.api.resources(V1Pod.class).create(pod("shop", "b"));
		this.api.resources(V1Pod.class).create(new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("bare")));
		Snapshot<V1Pod> snapshot = startPods().snapshot();
		assertThat(names(snapshot.list("blog", "app in (b,c)"))).containsExactly("b");
		assertThat(names(snapshot.list("shop", "app!=b"))).containsExactly("bare");
		assertThat(names(snapshot.select("app"))).containsExactlyInAnyOrder("a", "b", "b");
		assertThat(snapshot.select(" ")).hasSize(4);
		assertThat(snapshot.list("none", "app")).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> snapshot.list("none", "app in a"))
			.withMessageContaining("'app in a'")
			.withMessageContaining("position 8");
	}

	@Test
	void snapshotStaysAsItWas() throws InterruptedException {
		create("a");
		startPods();
		Snapshot<V1Pod> before = this.informers.snapshot(V1Pod.class);
		create("b");
		await().until(() -> this.informers.snapshot(V1Pod.class).size() == 2);
		assertThat(before.keys()).containsExactly("blog/a");
	}

	@Test
	void clusterScopedObjectsHaveNoNamespace() throws InterruptedException {
		this.api.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("n1")));
		Informer<V1Node> nodes = this.informers.informer(V1Node.class);
		this.informers.start();
		assertThat(nodes.awaitSync(LONG)).isTrue();
		assertThat(nodes.lister().get("n1")).isNotNull();
		assertThat(nodes.snapshot().get("", "n1")).isNotNull();
		assertThat(nodes.snapshot().keys()).containsExactly("n1");
	}

	@Test
	void cacheCannotBeWrittenTo() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> pods.getIndexer().add(pod("blog", "x")))
			.withMessageContaining("API server");
		V1Pod cached = pods.lister().get("blog/a");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> cached.getMetadata().putLabelsItem("x", "y"));
		assertThat(pods.lister().get("blog/a").getMetadata().getLabels()).doesNotContainKey("x");
	}

	@Test
	void copyOfACachedObjectMayBeChangedAndTheCacheStaysAsItWas() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		V1Pod cached = pods.lister().get("blog/a");
		V1Pod copy = Informers.copyOf(cached);
		assertThat(copy).isEqualTo(cached).isNotSameAs(cached);
		copy.getMetadata().putLabelsItem("x", "y");
		copy.getMetadata().getLabels().remove("app");
		copy.getMetadata().setResourceVersion("0");
		copy.getSpec().getContainers().get(0).image("app:2").addEnvItem(new V1EnvVar().name("E"));
		copy.getSpec().addVolumesItem(new V1Volume().name("v"));
		assertThat(pods.lister().get("blog/a")).isSameAs(cached).isNotEqualTo(copy);
		assertThat(cached.getMetadata().getLabels()).containsOnlyKeys("app");
		assertThat(cached.getSpec().getContainers().get(0).getImage()).isEqualTo("app:1");
		assertThat(cached.getSpec().getContainers().get(0).getEnv()).isEmpty();
	}

	@Test
	void handlerIsSyncedByItselfWhileAnotherBlocks() throws InterruptedException {
		create("a");
		create("b");
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		HandlerRegistration blocked = pods.addHandler((ResourceEvent<V1Pod> event) -> this.gate.await(),
				HandlerOptions.defaults().withId("blocked"));
		HandlerRegistration free = pods.addHandler(this.recorder, HandlerOptions.defaults().withId("free"));
		this.informers.start();
		assertThat(free.awaitSync(LONG)).isTrue();
		assertThat(pods.hasSynced()).isTrue();
		assertThat(blocked.hasSynced()).isFalse();
		assertThat(blocked.status().sync().pendingInitial()).isEqualTo(2);
		this.gate.countDown();
		assertThat(blocked.awaitSync(LONG)).isTrue();
	}

	@Test
	void handlerAddedLateGetsThePresentAndThenEveryChange() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		Recorder<V1Pod> late = new Recorder<>();
		HandlerRegistration registration = pods.addHandler(late, HandlerOptions.defaults());
		assertThat(registration.awaitSync(LONG)).isTrue();
		create("b");
		await().untilAsserted(() -> assertThat(late.delivered()).containsExactly("+a", "+b"));
		assertThat(late.events().get(0).initial()).isTrue();
		assertThat(registration.id()).isEqualTo("pods-handler-1");
	}

	@Test
	void removedHandlerReceivesNothingMore() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		HandlerRegistration registration = pods.handlers().get(0);
		Recorder<V1Pod> other = new Recorder<>();
		pods.addHandler(other, HandlerOptions.defaults());
		registration.close();
		registration.close();
		create("a");
		await().untilAsserted(() -> assertThat(other.delivered()).containsExactly("+a"));
		assertThat(this.recorder.delivered()).isEmpty();
		assertThat(pods.handlers()).doesNotContain(registration);
	}

	@Test
	void handlerMayRemoveItselfInACallback() {
		AtomicReference<HandlerRegistration> self = new AtomicReference<>();
		CountDownLatch removed = new CountDownLatch(1);
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		self.set(pods.addHandler((ResourceEvent<V1Pod> event) -> {
			self.get().close();
			removed.countDown();
		}, HandlerOptions.defaults()));
		this.informers.start();
		create("a");
		await().until(() -> removed.getCount() == 0);
		assertThat(pods.handlers()).isEmpty();
	}

	@Test
	void stopInACallbackDoesNotWaitForIt() {
		CountDownLatch stopped = new CountDownLatch(1);
		this.informers.informer(V1Pod.class).addHandler((ResourceEvent<V1Pod> event) -> {
			this.informers.stop();
			stopped.countDown();
		}, HandlerOptions.defaults());
		this.informers.start();
		create("a");
		await().until(() -> stopped.getCount() == 0);
		assertThat(this.informers.isRunning()).isFalse();
	}

	@Test
	void throwingHandlerMissesNoFurtherEventAndIsNamed() throws InterruptedException {
		List.of("a", "b", "c").forEach(this::create);
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		HandlerRegistration registration = pods.addHandler((ResourceEvent<V1Pod> event) -> {
			if (event.object().getMetadata().getName().equals("b")) {
				throw new IllegalArgumentException("secret content");
			}
			this.recorder.handle(event);
		}, HandlerOptions.defaults());
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+a", "+c");
		assertThat(registration.status().deliveries().failed()).isEqualTo(1);
		assertThat(registration.status().lastError().key()).isEqualTo("blog/b");
		assertThat(registration.status().toString()).doesNotContain("secret content");
	}

	@Test
	void officialHandlerWorksAsItIs() {
		List<String> delivered = new CopyOnWriteArrayList<>();
		SharedIndexInformer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1Pod pod) {
				delivered.add("add " + pod.getMetadata().getName());
			}

			@Override
			public void onUpdate(V1Pod before, V1Pod after) {
				delivered.add("update " + before.getMetadata().getLabels() + after.getMetadata().getLabels());
			}

			@Override
			public void onDelete(V1Pod pod, boolean finalStateUnknown) {
				delivered.add("delete " + finalStateUnknown);
			}

		});
		pods.run();
		await().until(pods::hasSynced);
		create("a");
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "b"));
		this.api.resources(V1Pod.class).delete("blog", "a");
		await().untilAsserted(
				() -> assertThat(delivered).containsExactly("add a", "update {app=a}{app=b}", "delete false"));
		pods.stop();
		assertThat(pods.hasSynced()).isFalse();
		assertThat(pods.lastSyncResourceVersion()).isEmpty();
	}

	@Test
	void resyncComesToThoseWhoAskedAndCostsNoRequest() throws InterruptedException {
		create("a");
		create("b");
		Informer<V1Pod> pods = startPods();
		Recorder<V1Pod> resynced = new Recorder<>();
		pods.addHandler(resynced, HandlerOptions.defaults().withResync(Duration.ofMillis(100)));
		await().untilAsserted(() -> assertThat(resynced.delivered()).hasSizeGreaterThan(12));
		assertThat(resynced.delivered()).containsOnlyOnce("+a", "+b").contains("=a", "=b");
		ResourceEvent<V1Pod> resync = resynced.events()
			.stream()
			.filter(ResourceEvent::resync)
			.findFirst()
			.orElseThrow();
		assertThat(resync.oldObject()).isSameAs(resync.object());
		assertThat(resync.generationChanged()).isFalse();
		assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+a", "+b");
		assertThat(this.api.requests()).hasSize(2);
	}

	@Test
	void resyncMayBeAskedFor() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		pods.handlers().get(0).resync();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "=a"));
	}

	@Test
	void nothingIsAskedOfAClientWithoutInformers() {
		AtomicReference<String> asked = new AtomicReference<>();
		Informers none = Informers.builder(() -> {
			asked.set("yes");
			throw new IllegalStateException("no cluster");
		}).build();
		none.start();
		assertThat(none.isRunning()).isTrue();
		assertThat(asked.get()).isNull();
		assertThatIllegalStateException().isThrownBy(() -> none.informer(V1Pod.class)).withMessage("no cluster");
		none.stop();
	}

	@Test
	void refusedClientIsNotConnectedAtAnyStart() {
		Informers refused = informers(this.api.url(), (builder) -> builder);
		refused.hooks().checkClient((client) -> {
			throw new IllegalStateException("refused " + client.getBasePath());
		});
		Informer<V1Pod> pods = refused.informer(V1Pod.class);
		assertThatIllegalStateException().isThrownBy(refused::start).withMessage("refused " + this.api.url());
		assertThatIllegalStateException().isThrownBy(pods::run).withMessage("refused " + this.api.url());
		assertThat(this.api.requests()).isEmpty();
		refused.hooks().checkClient((client) -> {
		});
		pods.run();
		await().until(pods::hasSynced);
		assertThatIllegalStateException().as("at once").isThrownBy(() -> refused.hooks().checkClient((client) -> {
			throw new IllegalStateException("late");
		})).withMessage("late");
		refused.stop();
	}

	@Test
	void informersAskedForByClassFollowTheDefaults() {
		Informers narrowed = informers(this.api.url(), (builder) -> builder.specDefaults(new InformerSpecDefaults() {

			@Override
			public <T extends KubernetesObject> InformerSpec<T> apply(InformerSpec<T> spec) {
				return spec.withNamespaces("blog");
			}

		}));
		assertThat(narrowed.informer(V1Pod.class).spec().namespaces()).containsExactly("blog");
		assertThat(narrowed.informer(InformerSpec.of(V1Pod.class)).spec().namespaces()).isEmpty();
	}

	@Test
	void namespacesAreWatchedByThemselvesAndSelectorsGoWithEveryRequest() throws InterruptedException {
		create("a");
		this.api.resources(V1Pod.class).create(pod("shop", "b"));
		this.api.resources(V1Pod.class).create(pod("other", "c"));
		Informer<V1Pod> pods = this.informers.informer(InformerSpec.of(V1Pod.class)
			.withNamespaces("shop", "blog")
			.withLabelSelector("app in (a,b)")
			.withFieldSelector("metadata.name!=x"));
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		await().until(() -> this.api.openWatches() == 2);
		assertThat(pods.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "shop/b");
		assertThat(this.api.requests()).hasSize(4)
			.allMatch((request) -> "app in (a,b)".equals(request.parameter("labelSelector"))
					&& "metadata.name!=x".equals(request.parameter("fieldSelector")));
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "left"));
		await().untilAsserted(() -> assertThat(pods.snapshot().keys()).containsExactly("shop/b"));
	}

	@Test
	void equalSpecsShareOneInformer() {
		Informer<V1Pod> first = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("b", "a"));
		Informer<V1Pod> second = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("a", "b"));
		Informer<V1Pod> other = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("a"));
		assertThat(second).isSameAs(first).isNotSameAs(other);
		assertThat(first.id()).matches("pods-[0-9a-f]{8}").isNotEqualTo(other.id());
		assertThat(this.informers.informer(V1Pod.class).id()).isEqualTo("pods");
		assertThat(this.informers.all()).hasSize(3);
	}

	@Test
	void informerAskedForWhileOthersRunStartsAtOnce() throws InterruptedException {
		create("a");
		this.informers.start();
		assertThat(this.informers.informer(V1Pod.class).awaitSync(LONG)).isTrue();
	}

	@Test
	void transformChangesWhatIsCachedButNotWhatItIsKnownBy() throws InterruptedException {
		create("a");
		create("dropped");
		create("bad");
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.setTransform((object) -> transform((V1Pod) object));
		pods.addHandler(this.recorder, HandlerOptions.defaults());
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		assertThat(pods.lister().get("blog/a").getMetadata().getName()).isEqualTo("renamed");
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		assertThat(pods.status().lastError().message()).contains("blog/bad").doesNotContain("secret");
		this.api.resources(V1Pod.class).delete("blog", "a");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+renamed", "-renamed"));
		assertThatIllegalStateException().isThrownBy(() -> pods.setTransform(null)).withMessageContaining("'pods'");
	}

	private static KubernetesObject transform(V1Pod pod) {
		return switch (pod.getMetadata().getName()) {
			case "dropped" -> null;
			case "bad" -> throw new AssertionError("secret");
			default -> new V1Pod().metadata(new V1ObjectMeta().name("renamed"));
		};
	}

	@Test
	void indexersMayBeAddedAtAnyTime() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		pods.addIndexers(Map.of("label", (pod) -> List.of(pod.getMetadata().getLabels().get("app"))));
		assertThat(names(pods.getIndexer().byIndex("label", "a"))).containsExactly("a");
		assertThat(pods.getIndexer().getIndexers()).containsOnlyKeys("namespace", "label");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> pods.addIndexers(Map.of("namespace", (pod) -> List.of())));
	}

	@Test
	void stopEndsThreadsAndConnectionsAndAStartGoesOnWhereItWas() throws InterruptedException {
		create("a");
		create("b");
		Informer<V1Pod> pods = startPods();
		Lister<V1Pod> lister = pods.lister();
		await().until(() -> this.api.openWatches() == 1);
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
		assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
		assertThat(pods.hasSynced()).isFalse();
		assertThat(names(lister.list())).containsExactlyInAnyOrder("a", "b");
		await().until(() -> this.api.openWatches() == 0);
		this.api.resources(V1Pod.class).delete("blog", "a");
		create("c");
		this.informers.start();
		assertThat(pods.handlers().get(0).awaitSync(LONG)).isTrue();
		assertThat(names(lister.list())).containsExactlyInAnyOrder("b", "c");
		assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+a", "+b", "-a?", "+c");
	}

	@Test
	void stopDuringAListAndDuringABackoffIsAsFast() {
		this.api.faults().on(Requests.of("nodes")).status(500);
		this.informers.informer(V1Node.class);
		Informers slow = informers(this.api.url(),
				(builder) -> builder.timings(dev.kubeinformer.internal.reflector.ReflectorTimings.defaults()));
		Informer<V1Node> nodes = slow.informer(V1Node.class);
		slow.start();
		await().until(() -> nodes.status().lastError() != null);
		long before = System.nanoTime();
		slow.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void pausedHandlerWaitsAndThenGetsEverything() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		HandlerRegistration registration = pods.handlers().get(0);
		registration.pause();
		create("a");
		await().until(() -> registration.status().queue().size() == 1);
		assertThat(registration.status().paused()).isTrue();
		assertThat(this.recorder.delivered()).isEmpty();
		registration.resume();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a"));
	}

	@Test
	void drainLimitCountsOnceForAllHandlers() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(4);
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		for (int i = 0; i < 4; i++) {
			pods.addHandler((ResourceEvent<V1Pod> event) -> {
				entered.countDown();
				this.gate.await();
			}, HandlerOptions.defaults().withDrainTimeout(Duration.ofSeconds(3)));
		}
		this.informers.start();
		create("a");
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofMillis(2900),
				Duration.ofSeconds(9));
	}

	@Test
	void stopAndStartInACallbackWhileAnotherStopsDoNotWaitForEachOther() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch left = new CountDownLatch(1);
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.addHandler((ResourceEvent<V1Pod> event) -> {
			entered.countDown();
			await().until(() -> !this.informers.isRunning());
			this.informers.stop();
			this.informers.start();
			pods.stop();
			this.informers.lister(V1Node.class);
			left.countDown();
		}, HandlerOptions.defaults());
		this.informers.start();
		create("a");
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		assertThat(left.getCount()).isZero();
		assertThat(this.informers.informer(V1Node.class).state()).isEqualTo(InformerState.NEW);
	}

	@Test
	void informerThatIsRestartedWhileAllStopIsNotLeftBehind() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		pods.stop();
		pods.run();
		assertThat(pods.awaitSync(LONG)).isTrue();
		this.informers.stop();
		assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void informerThatIsStartedWhileAllStopRunsOrIsStoppedAndNothingBetween() throws Exception {
		create("a");
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.addHandler(this.recorder, HandlerOptions.defaults().withResync(Duration.ofMinutes(1)));
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			for (int i = 0; i < 30; i++) {
				Future<?> started = other.submit(pods::run);
				this.informers.stop();
				started.get(30, TimeUnit.SECONDS);
				if (pods.state() != InformerState.STOPPED) {
					assertThat(pods.awaitSync(LONG)).isTrue();
				}
			}
		}
		finally {
			other.shutdown();
		}
		this.informers.stop();
		assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void longestDurationsMeanNeverAndNoLimit() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.addHandler(new Recorder<>(), HandlerOptions.defaults().withResync(Duration.ofMillis(Long.MAX_VALUE)));
		HandlerRegistration registration = pods.addHandler(this.recorder, HandlerOptions.defaults()
			.withResync(ChronoUnit.FOREVER.getDuration())
			.withDrainTimeout(ChronoUnit.FOREVER.getDuration())
			.withRetry(RetryBackoff.exponential(1, Duration.ZERO, 1, ChronoUnit.FOREVER.getDuration(), Duration.ZERO)));
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		this.informers.stop();
		assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
	}

	@Test
	void transformThatIsSetBetweenRunsReachesWhatIsCached() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		this.informers.stop();
		pods.setTransform((object) -> new V1Pod().metadata(new V1ObjectMeta().name("renamed")));
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(pods.lister().get("blog/a").getMetadata().getName()).isEqualTo("renamed");
	}

	@Test
	void handlerIsSyncedAfterARestartWhenItHasFinishedTheDifferences() throws InterruptedException {
		create("a");
		CountDownLatch entered = new CountDownLatch(1);
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		HandlerRegistration registration = pods.addHandler((ResourceEvent<V1Pod> event) -> {
			if (event.type() == ResourceEvent.Type.UPDATE) {
				entered.countDown();
				this.gate.await();
			}
		}, HandlerOptions.defaults().withDrainTimeout(Duration.ZERO));
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		this.informers.stop();
		assertThat(registration.hasSynced()).isFalse();
		assertThat(registration.status().sync().everSynced()).isTrue();
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "new"));
		this.informers.start();
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(registration.hasSynced()).isFalse();
		this.gate.countDown();
		assertThat(registration.awaitSync(LONG)).isTrue();
	}

	@Test
	void namespacesThatCannotBeAreRefused() {
		for (String wrong : List.of("", " ", "Kube System", "a/b", "-a", "a".repeat(64))) {
			assertThatIllegalArgumentException().isThrownBy(() -> InformerSpec.of(V1Pod.class).withNamespaces(wrong))
				.withMessageContaining("'" + wrong + "'");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> InformerSpec.of(V1Node.class).withNamespaces("a"))
			.withMessageContaining("cluster-scoped");
	}

	@Test
	void labelSelectorThatCannotBeReadIsRefusedBeforeAnythingIsAsked() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> InformerSpec.of(V1Pod.class).withLabelSelector("app in web"))
			.withMessageContaining("'app in web'")
			.withMessageContaining("position 8");
		assertThat(InformerSpec.of(V1Pod.class).withLabelSelector(" ").labelSelector()).isNull();
	}

	@Test
	void drainIsLimited() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.addHandler((ResourceEvent<V1Pod> event) -> {
			entered.countDown();
			this.gate.await();
		}, HandlerOptions.defaults().withDrainTimeout(Duration.ofMillis(100)));
		this.informers.start();
		create("a");
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
	}

	private Informer<V1Pod> startPods() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		HandlerRegistration registration = pods.addHandler(this.recorder, HandlerOptions.defaults().withId("recorder"));
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		return pods;
	}

	private void create(String name) {
		this.api.resources(V1Pod.class).create(pod("blog", name));
	}

	private static List<String> names(List<? extends KubernetesObject> objects) {
		return objects.stream().map((object) -> object.getMetadata().getName()).toList();
	}

}
