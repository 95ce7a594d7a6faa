package dev.kubeinformer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DeleteOptions;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.PatchUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ObjectKey;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reconcilers on a real kube-apiserver, where no controllers run: config maps own
 * secrets.
 */
@RequiresCluster
class ClusterControllerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String FINALIZER = "example.com/configs";

	private static final String FOREIGN = "example.com/other";

	private final String namespace = "controller-test-" + UUID.randomUUID().toString().substring(0, 8);

	private final List<ReconcileRun> runs = new CopyOnWriteArrayList<>();

	private final AtomicInteger cleanups = new AtomicInteger();

	private ApiClient admin;

	private CoreV1Api core;

	private Informers informers;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException, ApiException {
		this.admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(this.admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		this.informers = Informers.builder(ClusterSupport.client(kubeconfig)).build();
	}

	@AfterEach
	void disconnect() throws ApiException {
		stopProcess();
		this.core.deleteNamespace(this.namespace).execute();
	}

	private void stopProcess() {
		this.informers.reconcilers().all().forEach(ReconcilerContainer::stop);
		this.informers.close();
	}

	@Test
	void childrenShouldFollowTheirOwnersAndComeToRest() throws Exception {
		ReconcilerContainer container = start(ClusterControllerTests::applyChild, (spec) -> spec);
		assertThat(container.awaitIdle(LONG)).isTrue();
		for (int i = 0; i < 5; i++) {
			create("c" + i);
		}
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.core.listNamespacedSecret(this.namespace).execute().getItems()).hasSize(5);
		assertThat(this.runs).hasSizeBetween(5, 10);
		String version = secret("c0").getMetadata().getResourceVersion();
		this.runs.clear();
		container.triggerAll();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.runs).hasSize(5);
		assertThat(secret("c0").getMetadata().getResourceVersion()).isEqualTo(version);
		this.core.deleteNamespacedSecret("c0", this.namespace).execute();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(secret("c0").getMetadata().getOwnerReferences()).hasSize(1);
	}

	@Test
	void childrenWhoseMetadataIsCachedShouldComeToRestAndBePatchedAndDeleted() throws Exception {
		List<V1Secret> applied = new CopyOnWriteArrayList<>();
		List<Metadata<V1Secret>> patched = new CopyOnWriteArrayList<>();
		ReconcilerContainer container = startAlone((config, run) -> {
			Metadata<V1Secret> there = run.ownedMetadata(V1Secret.class).single();
			if (config.getData() != null && config.getData().containsKey("gone")) {
				if (there != null) {
					run.delete(there);
				}
				return Result.done();
			}
			applied.add(run.apply(new V1Secret().metadata(new V1ObjectMeta().name(run.key().name()))
				.data(Map.of("from", run.key().name().getBytes(StandardCharsets.UTF_8)))));
			if (there != null && patched.isEmpty()) {
				patched.add(run.patch(there, PatchFormat.MERGE, "{\"metadata\":{\"labels\":{\"patched\":\"yes\"}}}"));
			}
			return Result.done();
		}, (spec) -> spec.withOwned(OwnedResource.metadata(V1Secret.class)));
		create("a");
		await().until(() -> !patched.isEmpty());
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(patched).singleElement().satisfies((metadata) -> {
			assertThat(metadata.getKind()).isEqualTo("Secret");
			assertThat(metadata.getMetadata().getLabels()).containsEntry("patched", "yes");
		});
		applied.clear();
		container.trigger(new ObjectKey(this.namespace, "a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		// The type, which the server sets, shows that nothing was sent.
		assertThat(applied).singleElement().extracting(V1Secret::getType).isNull();
		assertThat(secret("a").getMetadata().getResourceVersion())
			.isEqualTo(applied.get(0).getMetadata().getResourceVersion());
		PatchUtils.patch(V1ConfigMap.class,
				() -> this.core
					.patchNamespacedConfigMap("a", this.namespace, new V1Patch("{\"data\":{\"gone\":\"yes\"}}"))
					.buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.admin);
		await().until(() -> this.core.listNamespacedSecret(this.namespace).execute().getItems().isEmpty());
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.runs).extracting(ReconcileRun::outcome).doesNotContain(RunOutcome.ERROR);
	}

	@Test
	void runShouldSeeWhatTheRunsBeforeItWrote() throws Exception {
		AtomicInteger stale = new AtomicInteger();
		Map<String, Integer> created = new ConcurrentHashMap<>();
		ReconcilerContainer container = start((config, run) -> {
			int seen = run.owned(V1Secret.class).list().size();
			if (seen < created.getOrDefault(run.key().name(), 0)) {
				stale.incrementAndGet();
			}
			if (seen < 5) {
				run.create(new V1Secret().metadata(new V1ObjectMeta().generateName(run.key().name() + "-")));
				created.merge(run.key().name(), 1, Integer::sum);
			}
			return Result.done();
		}, (spec) -> spec.withOwnWritesTimeout(LONG));
		for (int i = 0; i < 10; i++) {
			create("c" + i);
		}
		await().until(() -> this.core.listNamespacedSecret(this.namespace).execute().getItems().size() >= 50);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.core.listNamespacedSecret(this.namespace).execute().getItems()).hasSize(50);
		assertThat(stale).hasValue(0);
	}

	@Test
	void objectShouldGoAfterItsCleanupAlsoWhenItIsDeletedTwice() throws Exception {
		ReconcilerContainer container = startWithCleanup();
		create("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(finalizers("a")).containsExactly(FINALIZER);
		this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
		deleteAgain("a");
		await().until(() -> isGone("a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.cleanups).hasValue(1);
		assertThat(container.status().runs().failed()).isZero();
	}

	@Test
	void objectWithForeignFinalizerShouldBeCleanedUpOnceAndLeftToOthers() throws Exception {
		create("a", FOREIGN);
		ReconcilerContainer container = startWithCleanup();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(finalizers("a")).containsExactly(FOREIGN, FINALIZER);
		this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
		await().until(() -> finalizers("a").equals(List.of(FOREIGN)));
		container.trigger(new ObjectKey(this.namespace, "a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.cleanups).hasValue(1);
		removeFinalizers("a");
		await().until(() -> isGone("a"));
	}

	@Test
	void objectThatIsBeingDeletedShouldGetNoFinalizer() throws Exception {
		create("a", FOREIGN);
		this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
		ReconcilerContainer container = startWithCleanup();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(finalizers("a")).containsExactly(FOREIGN);
		assertThat(this.runs).isEmpty();
		removeFinalizers("a");
	}

	@Test
	void foregroundDeletionShouldWaitForBoth() throws Exception {
		ReconcilerContainer container = startWithCleanup();
		create("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.core.deleteNamespacedConfigMap("a", this.namespace)
			.body(new V1DeleteOptions().propagationPolicy("Foreground"))
			.execute();
		await().until(() -> finalizers("a").equals(List.of("foregroundDeletion")));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.cleanups).hasValue(1);
		removeFinalizers("a");
		await().until(() -> isGone("a"));
	}

	@Test
	void finalizerThatSomebodyElseRemovesDuringTheCleanupShouldBeNoFailure() throws Exception {
		ReconcilerContainer container = start(ClusterControllerTests::applyChild,
				(spec) -> spec.withCleanup(FINALIZER, (config, run) -> {
					this.cleanups.incrementAndGet();
					removeFinalizers(run.key().name());
					return Result.done();
				}));
		create("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
		await().until(() -> isGone("a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().runs().failed()).isZero();
		assertThat(this.cleanups).hasValue(1);
	}

	@Test
	void processThatEndsBeforeTheRemovalShouldCleanUpAgain(Path kubeconfig) throws Exception {
		AtomicInteger fates = new AtomicInteger();
		ReconcilerContainer container = start(ClusterControllerTests::applyChild,
				(spec) -> spec.withDrainTimeout(Duration.ofMillis(50)).withCleanup(FINALIZER, (config, run) -> {
					fates.incrementAndGet();
					// Killed here: all is done, and nothing says so yet.
					new CountDownLatch(1).await();
					return Result.done();
				}));
		create("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
		await().until(() -> fates.get() == 1);
		stopProcess();
		assertThat(finalizers("a")).containsExactly(FINALIZER);
		this.informers = Informers.builder(ClusterSupport.client(kubeconfig)).build();
		startWithCleanup();
		await().until(() -> isGone("a"));
		assertThat(this.cleanups).hasValue(1);
	}

	private ReconcilerContainer startWithCleanup() {
		return start(ClusterControllerTests::applyChild, (spec) -> spec.withCleanup(FINALIZER, (config, run) -> {
			this.cleanups.incrementAndGet();
			return Result.done();
		}));
	}

	private ReconcilerContainer start(ReconcileFunction<V1ConfigMap> function,
			UnaryOperator<ReconcilerSpec<V1ConfigMap>> settings) {
		return startAlone(function, (spec) -> settings.apply(spec.withOwned(V1Secret.class)));
	}

	private ReconcilerContainer startAlone(ReconcileFunction<V1ConfigMap> function,
			UnaryOperator<ReconcilerSpec<V1ConfigMap>> settings) {
		ReconcilerSpec<V1ConfigMap> spec = ReconcilerSpec.of("configs", V1ConfigMap.class, function)
			.withNamespaces(this.namespace)
			.withLabelSelector("app=test")
			.withListener(new ReconcilerListener() {

				@Override
				public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
					ClusterControllerTests.this.runs.add(run);
				}

			});
		ReconcilerContainer container = this.informers.controller(settings.apply(spec));
		container.start();
		return container;
	}

	private static Result applyChild(V1ConfigMap config, Reconciliation<V1ConfigMap> run) throws ApiException {
		run.apply(new V1Secret().metadata(new V1ObjectMeta().name(run.key().name()))
			.stringData(Map.of("from", run.key().name())));
		return Result.done();
	}

	private void create(String name, String... finalizers) throws ApiException {
		V1ObjectMeta metadata = new V1ObjectMeta().name(name).putLabelsItem("app", "test");
		metadata.setFinalizers((finalizers.length > 0) ? new ArrayList<>(List.of(finalizers)) : null);
		this.core.createNamespacedConfigMap(this.namespace, new V1ConfigMap().metadata(metadata)).execute();
	}

	private List<String> finalizers(String name) throws ApiException {
		List<String> finalizers = this.core.readNamespacedConfigMap(name, this.namespace)
			.execute()
			.getMetadata()
			.getFinalizers();
		return (finalizers != null) ? finalizers : List.of();
	}

	private void removeFinalizers(String name) throws ApiException {
		PatchUtils.patch(V1ConfigMap.class,
				() -> this.core
					.patchNamespacedConfigMap(name, this.namespace, new V1Patch("{\"metadata\":{\"finalizers\":null}}"))
					.buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.admin);
	}

	private void deleteAgain(String name) throws ApiException {
		try {
			this.core.deleteNamespacedConfigMap(name, this.namespace).execute();
		}
		catch (ApiException ex) {
			assertThat(ex.getCode()).isEqualTo(404);
		}
	}

	private boolean isGone(String name) throws ApiException {
		try {
			this.core.readNamespacedConfigMap(name, this.namespace).execute();
			return false;
		}
		catch (ApiException ex) {
			assertThat(ex.getCode()).isEqualTo(404);
			return true;
		}
	}

	private V1Secret secret(String name) throws ApiException {
		return this.core.readNamespacedSecret(name, this.namespace).execute();
	}

}
