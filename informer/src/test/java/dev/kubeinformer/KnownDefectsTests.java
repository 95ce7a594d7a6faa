package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ListerWatcher;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.DeltaFIFO;
import io.kubernetes.client.informer.impl.DefaultSharedIndexInformer;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watchable;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.OfficialInformers.Implementation;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Defects of the official client's informer: each scenario fails there and passes here,
 * through the same interface.
 */
@Tag("slow")
class KnownDefectsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiResources<V1Pod> server = this.api.resources(V1Pod.class);

	private final List<AutoCloseable> running = new ArrayList<>();

	@AfterEach
	void stop() throws Exception {
		for (AutoCloseable each : this.running) {
			each.close();
		}
		this.api.close();
	}

	@ParameterizedTest
	@EnumSource
	void resyncOfAHandlerIsHonoured(Implementation engine) {
		this.server.create(pod("blog", "a"));
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ZERO);
		Mirror mirror = new Mirror();
		pods.addEventHandlerWithResyncPeriod(mirror, 1000);
		pods.run();
		verify(engine, Duration.ofSeconds(4), () -> mirror.resyncs.get() >= 2);
	}

	@ParameterizedTest
	@EnumSource
	void resyncThatIsShorterThanThatOfTheInformerIsHonoured(Implementation engine) {
		this.server.create(pod("blog", "a"));
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ofSeconds(60));
		Mirror mirror = new Mirror();
		pods.addEventHandlerWithResyncPeriod(mirror, 1000);
		pods.run();
		verify(engine, Duration.ofSeconds(4), () -> mirror.resyncs.get() >= 2);
	}

	@ParameterizedTest
	@EnumSource
	void addsOfARelistReachTheHandlersThatAreNotDueForAResync(Implementation engine) {
		this.server.create(pod("blog", "a"));
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ofSeconds(8));
		Mirror early = new Mirror();
		pods.addEventHandlerWithResyncPeriod(early, 8000);
		pods.run();
		await().until(pods::hasSynced);
		long start = System.nanoTime();
		await().until(() -> System.nanoTime() - start > Duration.ofSeconds(4).toNanos());
		Mirror late = new Mirror();
		pods.addEventHandlerWithResyncPeriod(late, 8000);
		await().atMost(LONG).until(() -> early.resyncs.get() >= 1);
		relistWith(() -> this.server.create(pod("blog", "b")));
		await().atMost(LONG).until(() -> pods.getIndexer().getByKey("blog/b") != null);
		verify(engine, Duration.ofSeconds(4), () -> late.added.contains("b"));
	}

	@ParameterizedTest
	@EnumSource
	void objectThatIsDeletedBeforeItIsProcessedDoesNotStay(Implementation engine) throws Exception {
		if (engine == Implementation.OFFICIAL) {
			Cache<V1Pod> cache = new Cache<>();
			DeltaFIFO queue = new DeltaFIFO(Caches::metaNamespaceKeyFunc, ofAnything(cache));
			queue.add(pod("blog", "a"));
			// a relist without it, while it waits in the queue
			queue.replace(List.of(), "2");
			DefaultSharedIndexInformer<V1Pod, V1PodList> informer = new DefaultSharedIndexInformer<>(V1Pod.class,
					noServer(), 0, queue, cache);
			queue.pop(informer::handleDeltas);
			assertThat(cache.listKeys()).containsExactly("blog/a");
			return;
		}
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ZERO);
		AtomicBoolean blocked = new AtomicBoolean(true);
		Mirror mirror = new Mirror();
		mirror.beforeEach = () -> await().atMost(LONG).until(() -> !blocked.get());
		pods.addEventHandler(mirror);
		pods.run();
		await().until(pods::hasSynced);
		this.server.create(pod("blog", "first"));
		this.server.create(pod("blog", "a"));
		await().until(() -> pods.getIndexer().getByKey("blog/a") != null);
		relistWith(() -> this.server.delete("blog", "a"));
		await().atMost(LONG).until(() -> pods.getIndexer().getByKey("blog/a") == null);
		blocked.set(false);
		await().atMost(LONG).untilAsserted(() -> assertThat(mirror.state.keySet()).containsExactly("first"));
	}

	@ParameterizedTest
	@EnumSource
	void lateHandlersSeeNoPhantomsAndNoDuplicates(Implementation engine) {
		this.server.fill(2000, (i) -> pod("blog", "pod-" + i));
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ZERO);
		pods.run();
		await().atMost(LONG).until(pods::hasSynced);
		List<Mirror> mirrors = new ArrayList<>();
		try (PodWriter writer = new PodWriter(this.server, 2500, 2000)) {
			for (int i = 0; i < 60; i++) {
				int before = writer.written();
				await().pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> writer.written() >= before + 20);
				Mirror mirror = new Mirror();
				mirrors.add(mirror);
				pods.addEventHandler(mirror);
			}
		}
		Map<String, String> expected = new HashMap<>();
		this.server.list()
			.forEach((pod) -> expected.put(pod.getMetadata().getName(), pod.getMetadata().getResourceVersion()));
		verify(engine, Duration.ofSeconds(5),
				() -> mirrors.stream().allMatch((mirror) -> mirror.wrong.isEmpty() && mirror.state.equals(expected)));
	}

	@ParameterizedTest
	@EnumSource
	void transformIsGivenObjectsOfTheApiOnly(Implementation engine) {
		this.server.create(pod("blog", "a"));
		this.server.create(pod("blog", "b"));
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ZERO);
		List<Class<?>> given = new CopyOnWriteArrayList<>();
		pods.setTransform((object) -> {
			given.add(object.getClass());
			return object;
		});
		pods.run();
		await().until(() -> pods.getIndexer().list().size() == 2);
		relistWith(() -> {
			this.server.delete("blog", "a");
			this.server.create(pod("blog", "c"));
		});
		await().atMost(LONG).until(() -> pods.getIndexer().getByKey("blog/c") != null);
		verify(engine, Duration.ofSeconds(2), () -> given.stream().allMatch(V1Pod.class::equals));
	}

	@ParameterizedTest
	@EnumSource
	void indexFunctionThatThrowsLosesNoEvent(Implementation engine) {
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ZERO);
		pods.addIndexers(
				Map.of("number", (pod) -> List.of(Integer.toString(Integer.parseInt(pod.getMetadata().getName())))));
		Mirror mirror = new Mirror();
		pods.addEventHandler(mirror);
		pods.run();
		await().until(pods::hasSynced);
		this.server.create(pod("blog", "x"));
		this.server.create(pod("blog", "1"));
		await().atMost(LONG).until(() -> mirror.added.contains("1"));
		verify(engine, Duration.ofSeconds(1), () -> mirror.added.contains("x"));
	}

	@ParameterizedTest
	@EnumSource
	void changedObjectsCannotCorruptAnIndex(Implementation engine) {
		SharedIndexInformer<V1Pod> pods = informer(engine, Duration.ZERO);
		pods.addIndexers(Map.of("app", (pod) -> List.of(pod.getMetadata().getLabels().get("app"))));
		pods.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1Pod pod) {
				pod.getMetadata().getLabels().put("app", "mine");
			}

			@Override
			public void onUpdate(V1Pod before, V1Pod after) {
				// nothing
			}

			@Override
			public void onDelete(V1Pod pod, boolean finalStateUnknown) {
				// nothing
			}

		});
		pods.run();
		await().until(pods::hasSynced);
		this.server.create(pod("blog", "a"));
		await().until(() -> pods.getIndexer().getByKey("blog/a") != null);
		verify(engine, Duration.ofSeconds(2), () -> {
			V1Pod cached = pods.getIndexer().getByKey("blog/a");
			String label = cached.getMetadata().getLabels().get("app");
			return pods.getIndexer().byIndex("app", label).size() == 1;
		});
	}

	/**
	 * The scenario is right with this engine, and is not with the official one.
	 */
	private static void verify(Implementation engine, Duration patience, BooleanSupplier right) {
		boolean seen;
		try {
			await().atMost((engine == Implementation.OURS) ? LONG : patience).until(right::getAsBoolean);
			seen = true;
		}
		catch (ConditionTimeoutException ex) {
			seen = false;
		}
		assertThat(seen).isEqualTo(engine == Implementation.OURS);
	}

	private void relistWith(Runnable changes) {
		this.api.stopServing();
		changes.run();
		this.api.compact();
		this.api.resumeServing();
	}

	private SharedIndexInformer<V1Pod> informer(Implementation engine, Duration resync) {
		OfficialInformers informers = new OfficialInformers(this.api, engine);
		this.running.add(informers);
		return informers.pods(resync);
	}

	@SuppressWarnings("unchecked")
	private static Cache<KubernetesObject> ofAnything(Cache<?> cache) {
		return (Cache<KubernetesObject>) cache;
	}

	private static ListerWatcher<V1Pod, V1PodList> noServer() {
		return new ListerWatcher<>() {

			@Override
			public V1PodList list(CallGeneratorParams parameters) {
				throw new IllegalStateException("never asked");
			}

			@Override
			public Watchable<V1Pod> watch(CallGeneratorParams parameters) {
				throw new IllegalStateException("never asked");
			}

		};
	}

	/** View of the cluster of a handler that trusts every event. */
	private static final class Mirror implements ResourceEventHandler<V1Pod> {

		private final Map<String, String> state = new ConcurrentHashMap<>();

		private final List<String> added = new CopyOnWriteArrayList<>();

		private final List<String> wrong = new CopyOnWriteArrayList<>();

		private final AtomicInteger resyncs = new AtomicInteger();

		private Runnable beforeEach = () -> {
		};

		@Override
		public void onAdd(V1Pod pod) {
			this.beforeEach.run();
			V1ObjectMeta metadata = pod.getMetadata();
			this.added.add(metadata.getName());
			if (this.state.put(metadata.getName(), metadata.getResourceVersion()) != null) {
				this.wrong.add("second add of " + metadata.getName());
			}
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
			this.beforeEach.run();
			V1ObjectMeta metadata = after.getMetadata();
			if (metadata.getResourceVersion().equals(before.getMetadata().getResourceVersion())) {
				this.resyncs.incrementAndGet();
			}
			if (this.state.put(metadata.getName(), metadata.getResourceVersion()) == null) {
				this.wrong.add("update of unknown " + metadata.getName());
			}
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			this.beforeEach.run();
			if (this.state.remove(pod.getMetadata().getName()) == null) {
				this.wrong.add("delete of unknown " + pod.getMetadata().getName());
			}
		}

	}

}
