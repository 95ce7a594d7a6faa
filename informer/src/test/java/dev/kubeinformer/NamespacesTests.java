package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Namespaces that are added to an informer and removed from it. There are the namespaces
 * blog, shop and mail, with one pod of the same name in each.
 */
@ParameterizedClass
@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
class NamespacesTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration SHORT = Duration.ofMillis(100);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.bookmarkInterval(Duration.ofMillis(200))
		.start();

	private final Informers informers;

	private final Informer<V1Pod> pods;

	private final Recorder<V1Pod> recorder = new Recorder<>();

	private final HandlerRegistration registration;

	NamespacesTests(ListMode mode) {
		this.informers = informers(this.api.url(), (builder) -> builder.listMode(mode));
		this.pods = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("blog"));
		this.registration = this.pods.addHandler(this.recorder, HandlerOptions.defaults());
	}

	@BeforeEach
	void fill() {
		List.of("blog", "shop", "mail").forEach((namespace) -> create(namespace, namespace));
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void addedNamespaceIsListedByItselfAndItsObjectsAreNew() throws InterruptedException {
		startAndSync();
		V1Pod before = this.pods.lister().get("blog/blog");
		await().until(() -> this.api.openWatches() == 1);
		this.api.clearRequests();
		assertThat(this.pods.addNamespace("shop")).isTrue();
		assertThat(this.pods.addNamespace("shop")).isFalse();
		assertThat(this.pods.awaitSync("shop", LONG)).isTrue();
		await().until(() -> this.api.openWatches() == 2);
		assertThat(this.api.requests()).isNotEmpty().extracting(RecordedRequest::namespace).containsOnly("shop");
		assertThat(this.pods.snapshot().keys()).containsExactlyInAnyOrder("blog/blog", "shop/shop");
		assertThat(this.pods.lister().get("blog/blog")).isSameAs(before);
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+blog", "+shop"));
		assertThat(this.recorder.events()).extracting(ResourceEvent::initial).containsExactly(true, false);
		assertThat(this.pods.await(create("shop", "late"), LONG)).isTrue();
		assertThat(this.pods.status().lists().total()).isEqualTo(2);
		assertThat(this.pods.namespaces()).containsExactly("blog", "shop");
	}

	@Test
	void addedNamespaceDoesNotUndoTheSync() throws InterruptedException {
		startAndSync();
		await().until(() -> this.pods.state() == InformerState.LIVE);
		Fault fault = this.api.faults().on(Requests.of("pods").inNamespace("shop")).status(503);
		this.pods.addNamespace("shop");
		await().until(() -> fault.hits() >= 2);
		assertThat(this.pods.hasSynced()).isTrue();
		assertThat(this.registration.hasSynced()).isTrue();
		assertThat(this.pods.awaitSync(Duration.ZERO)).isTrue();
		assertThat(this.pods.state()).isEqualTo(InformerState.LIVE);
		assertThat(this.pods.status().sync().synced()).isTrue();
		assertThat(this.pods.awaitSync("shop", SHORT)).isFalse();
		assertThat(this.pods.awaitSync("blog", SHORT)).isTrue();
		V1Pod written = create("blog", "late");
		assertThat(this.pods.await(written, LONG)).isTrue();
		assertThat(this.pods.awaitResourceVersion(written.getMetadata().getResourceVersion(), SHORT)).isFalse();
		fault.remove();
		assertThat(this.pods.awaitSync("shop", LONG)).isTrue();
		assertThat(this.pods.awaitResourceVersion(written.getMetadata().getResourceVersion(), LONG)).isTrue();
		Recorder<V1Pod> late = new Recorder<>();
		assertThat(this.pods.addHandler(late, HandlerOptions.defaults()).awaitSync(LONG)).isTrue();
		assertThat(late.delivered()).containsExactlyInAnyOrder("+blog", "+late", "+shop");
	}

	@Test
	void namespaceThatIsAddedBeforeTheSyncIsAwaitedToo() throws InterruptedException {
		Fault fault = this.api.faults().on(Requests.of("pods").inNamespace("shop")).status(503);
		this.pods.addNamespace("shop");
		this.informers.start();
		assertThat(this.pods.awaitSync("blog", LONG)).isTrue();
		assertThat(this.pods.hasSynced()).isFalse();
		assertThat(this.pods.state()).isEqualTo(InformerState.SYNCING);
		fault.remove();
		assertThat(this.registration.awaitSync(LONG)).isTrue();
		assertThat(this.recorder.events()).hasSize(2).allMatch(ResourceEvent::initial);
	}

	@Test
	void objectsOfARemovedNamespaceAreGoneAndNothingOfItIsAskedOrDeliveredAnyMore() throws InterruptedException {
		this.pods.addNamespace("shop");
		this.pods.addIndexers(Map.of("name", (pod) -> List.of(pod.getMetadata().getName())));
		startAndSync();
		await().until(() -> this.api.openWatches() == 2);
		this.api.clearRequests();
		this.pods.removeNamespace("shop");
		assertThat(this.pods.snapshot().keys()).containsExactly("blog/blog");
		assertThat(this.pods.getIndexer().byIndex("name", "shop")).isEmpty();
		assertThat(this.pods.namespaces()).containsExactly("blog");
		await().until(() -> this.api.openWatches() == 1);
		create("shop", "late");
		assertThat(this.pods.await(create("blog", "late"), LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).hasSize(4).endsWith("-shop?", "+late"));
		assertThat(this.recorder.events().get(2).initial()).isFalse();
		assertThat(this.api.requests()).isEmpty();
		assertThat(engineThreads()).filteredOn((name) -> name.endsWith("-reflector")).hasSize(1);
	}

	@Test
	void namespaceMayComeBack() throws InterruptedException {
		this.pods.addNamespace("shop");
		startAndSync();
		this.pods.removeNamespace("shop");
		create("shop", "late");
		this.pods.addNamespace("shop");
		assertThat(this.pods.awaitSync("shop", LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.recorder.delivered().stream().skip(2))
			.containsExactlyInAnyOrder("-shop?", "+shop", "+late"));
	}

	@Test
	void removalOfTheNamespaceThatIsMissingCompletesTheSync() throws InterruptedException {
		this.api.faults().on(Requests.of("pods").inNamespace("shop")).forbid();
		this.pods.addNamespace("shop");
		this.informers.start();
		await().until(() -> this.pods.state() == InformerState.FORBIDDEN);
		assertThat(this.pods.awaitSync("blog", LONG)).isTrue();
		assertThat(this.pods.hasSynced()).isFalse();
		this.pods.removeNamespace("shop");
		assertThat(this.pods.hasSynced()).isTrue();
		assertThat(this.registration.awaitSync(LONG)).isTrue();
		await().until(() -> this.pods.state() == InformerState.LIVE);
		assertThat(this.pods.status().requiredRbac()).isEmpty();
		assertThat(this.pods.status().sync().syncedAt()).isNotNull();
	}

	@Test
	void unreadableObjectsOfARemovedNamespaceAreForgotten() throws InterruptedException {
		this.api.faults()
			.corrupt(V1Pod.class, "shop", "shop",
					(json) -> json.replaceFirst("\"containers\":\\[", "\"containers\":7,\"x\":["));
		this.pods.addNamespace("shop");
		startAndSync();
		assertThat(this.pods.status().cache().quarantined()).isEqualTo(1);
		this.pods.removeNamespace("shop");
		assertThat(this.pods.status().cache().quarantined()).isZero();
	}

	@Test
	void namespacesMayBeChangedWhileStopped() throws InterruptedException {
		this.pods.addNamespace("shop");
		startAndSync();
		await().until(() -> this.api.openWatches() == 2);
		this.informers.stop();
		this.pods.removeNamespace("shop");
		this.pods.addNamespace("mail");
		assertThat(this.pods.snapshot().keys()).containsExactly("blog/blog");
		this.api.clearRequests();
		this.informers.start();
		assertThat(this.registration.awaitSync(LONG)).isTrue();
		assertThat(this.pods.snapshot().keys()).containsExactlyInAnyOrder("blog/blog", "mail/mail");
		await().untilAsserted(
				() -> assertThat(this.recorder.delivered().stream().skip(2)).containsExactly("-shop?", "+mail"));
		assertThat(this.api.requests()).extracting(RecordedRequest::namespace).doesNotContain("shop");
	}

	@Test
	void namespacesThatCannotBeAddedOrRemovedAreRefusedByName() {
		Informer<V1Node> nodes = this.informers.informer(V1Node.class);
		Informer<V1Pod> all = this.informers.informer(V1Pod.class);
		assertThatIllegalArgumentException().isThrownBy(() -> this.pods.addNamespace("Not One"))
			.withMessageContaining("'Not One'");
		assertThatIllegalArgumentException().isThrownBy(() -> nodes.addNamespace("shop"))
			.withMessageContaining("cluster-scoped")
			.withMessageContaining("[shop]");
		assertThatIllegalStateException().isThrownBy(() -> all.addNamespace("shop"))
			.withMessageContaining("'pods' caches all namespaces");
		assertThatIllegalStateException().isThrownBy(() -> all.removeNamespace("shop"))
			.withMessageContaining("all namespaces");
		assertThatIllegalArgumentException().isThrownBy(() -> this.pods.removeNamespace("shop"))
			.withMessageContaining("[blog]")
			.withMessageContaining("'shop'");
		assertThatIllegalStateException().isThrownBy(() -> this.pods.removeNamespace("blog"))
			.withMessageContaining("'blog' is the last namespace");
		assertThatIllegalArgumentException().isThrownBy(() -> this.pods.awaitSync("shop", SHORT))
			.withMessageContaining("'shop'");
		assertThat(all.namespaces()).isEmpty();
		assertThat(this.pods.namespaces()).containsExactly("blog");
	}

	@Test
	void informerIsKnownByWhatItWasMadeFor() {
		InformerSpec<V1Pod> spec = this.pods.spec();
		this.pods.addNamespace("shop");
		assertThat(this.pods.spec()).isEqualTo(spec);
		assertThat(this.informers.informer(spec)).isSameAs(this.pods);
		assertThat(this.informers.informer(spec.withNamespaces("blog", "shop"))).isNotSameAs(this.pods);
	}

	@Test
	void callbacksMayAddAndRemoveNamespaces() throws InterruptedException {
		CompletableFuture<Boolean> done = new CompletableFuture<>();
		this.pods.setTransform((object) -> {
			if (object.getMetadata().getNamespace().equals("shop")) {
				this.pods.removeNamespace("shop");
			}
			return object;
		});
		this.pods.addHandler((ResourceEvent<V1Pod> event) -> {
			if (event.object().getMetadata().getName().equals("blog")) {
				this.pods.addNamespace("mail");
				done.complete(this.pods.awaitSync("mail", LONG));
				this.pods.addNamespace("shop");
			}
		}, HandlerOptions.defaults());
		startAndSync();
		assertThat(done).succeedsWithin(LONG).isEqualTo(true);
		await().untilAsserted(() -> assertThat(this.pods.namespaces()).containsExactly("blog", "mail"));
		await().untilAsserted(
				() -> assertThat(this.pods.snapshot().keys()).containsExactlyInAnyOrder("blog/blog", "mail/mail"));
	}

	@Test
	void callbackThatChangesNamespacesDoesNotHoldUpAStop() throws InterruptedException {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch left = new CountDownLatch(1);
		this.pods.addHandler((ResourceEvent<V1Pod> event) -> {
			if (event.type() == ResourceEvent.Type.ADD) {
				entered.countDown();
				await().until(() -> !this.informers.isRunning());
				this.pods.addNamespace("shop");
				this.pods.removeNamespace("blog");
				left.countDown();
			}
		}, HandlerOptions.defaults());
		this.informers.start();
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		assertThat(left.getCount()).isZero();
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
		assertThat(this.pods.namespaces()).containsExactly("shop");
	}

	@Test
	void whoeverWaitsForARemovedNamespaceIsSentAway() throws Exception {
		this.api.faults().on(Requests.of("pods").inNamespace("shop")).status(503);
		this.pods.addNamespace("shop");
		this.informers.start();
		V1Pod written = create("shop", "late");
		ExecutorService threads = Executors.newFixedThreadPool(2);
		Future<Boolean> sync = threads.submit(() -> this.pods.awaitSync("shop", LONG.multipliedBy(6)));
		Future<Boolean> write = threads.submit(() -> this.pods.await(written, LONG.multipliedBy(6)));
		threads.shutdown();
		assertThat(this.pods.awaitSync("blog", LONG)).isTrue();
		this.pods.removeNamespace("shop");
		// Whoever came too late for the wait is refused by name.
		for (Future<Boolean> waiting : List.of(sync, write)) {
			assertThat(waiting).satisfiesAnyOf((each) -> assertThat(each).succeedsWithin(LONG).isEqualTo(false),
					(each) -> assertThat(each).failsWithin(LONG)
						.withThrowableThat()
						.havingCause()
						.isInstanceOf(IllegalArgumentException.class));
		}
	}

	@Test
	void atRestTheCacheHoldsTheNamespacesThatAreThereHoweverTheyCame() throws Exception {
		this.pods.addNamespace("shop");
		startAndSync();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		List<Future<?>> changes = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Random random = new Random(i);
			changes.add(threads.submit(() -> {
				for (int step = 0; step < 40; step++) {
					String namespace = List.of("shop", "mail", "other").get(random.nextInt(3));
					if (random.nextBoolean()) {
						this.pods.addNamespace(namespace);
					}
					else {
						removeIfThere(namespace);
					}
				}
			}));
		}
		changes.add(threads.submit(() -> {
			for (int step = 0; step < 8; step++) {
				this.pods.stop();
				this.pods.run();
			}
		}));
		threads.shutdown();
		for (Future<?> change : changes) {
			change.get(60, TimeUnit.SECONDS);
		}
		Set<String> namespaces = this.pods.namespaces();
		for (String namespace : namespaces) {
			assertThat(this.pods.awaitSync(namespace, LONG)).isTrue();
		}
		assertThat(this.pods.awaitSync(LONG)).isTrue();
		Set<String> expected = new HashSet<>(namespaces);
		expected.remove("other");
		assertThat(this.pods.snapshot().keys()).containsExactlyInAnyOrderElementsOf(
				expected.stream().map((namespace) -> namespace + "/" + namespace).toList());
		await().until(() -> this.api.openWatches() == namespaces.size());
		assertThat(engineThreads().stream().filter((name) -> name.endsWith("-reflector")).collect(Collectors.toSet()))
			.hasSize(namespaces.size());
		await().untilAsserted(() -> assertThat(present()).isEqualTo(expected));
		await().until(() -> this.pods.state() == InformerState.LIVE);
	}

	@Test
	void handlerMayWaitForTheSyncOfItsOwnCache() throws InterruptedException {
		Informer<V1Pod> both = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("blog", "shop"));
		Fault denied = this.api.faults().on(Requests.of("pods").inNamespace("shop")).forbid();
		CountDownLatch called = new CountDownLatch(1);
		HandlerRegistration waiting = both.addHandler((event) -> {
			called.countDown();
			assertThat(both.awaitSync(LONG)).isTrue();
		}, HandlerOptions.defaults());
		this.informers.start();
		assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
		denied.remove();
		assertThat(waiting.awaitSync(LONG)).isTrue();
		assertThat(waiting.status().deliveries().failed()).isZero();
	}

	private void removeIfThere(String namespace) {
		try {
			this.pods.removeNamespace(namespace);
		}
		catch (IllegalArgumentException ex) {
			// Another thread was faster.
			assertThat(ex).hasMessageContaining("'" + namespace + "'");
		}
	}

	/** Objects that exist according to the events that the handler received. */
	private Set<String> present() {
		Set<String> present = new HashSet<>();
		for (ResourceEvent<V1Pod> event : this.recorder.events()) {
			String name = event.object().getMetadata().getName();
			assertThat((event.type() == ResourceEvent.Type.DELETE) ? present.remove(name) : present.add(name)).isTrue();
		}
		return present;
	}

	private void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.registration.awaitSync(LONG)).isTrue();
	}

	private V1Pod create(String namespace, String name) {
		return this.api.resources(V1Pod.class).create(pod(namespace, name));
	}

}
