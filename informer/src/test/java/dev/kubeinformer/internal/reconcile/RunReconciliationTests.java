package dev.kubeinformer.internal.reconcile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.DeleteOptions;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.PropagationPolicy;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.RecordedWrite;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/** Writes of a run. */
class RunReconciliationTests {

	private static final ResourceType<Widget> WIDGETS = ResourceType.of(Widget.class);

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.namespacesMustExist(false)
		.validation(false)
		.start();

	private TestRuns runs;

	private Widget widget;

	private RunReconciliation<Widget> run;

	@BeforeEach
	void start() {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		this.widget = this.api.resources(Widget.class, "example.com", "v1", "widgets")
			.create(Widget.named("shop", "one"));
		this.runs = new TestRuns(client());
		this.run = this.runs.run(WIDGETS, this.widget);
		this.api.clearRequests();
	}

	private ApiClient client() {
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(this.api.url());
		return client;
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	private static V1ConfigMap map(String name, String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).data(Map.of("key", value));
	}

	@Test
	void applyFillsInTypeNamespaceAndOwner() throws Exception {
		V1ConfigMap desired = map("child", "a");
		V1ConfigMap returned = this.run.apply(desired);
		assertThat(returned.getKind()).isEqualTo("ConfigMap");
		assertThat(returned.getData()).isEqualTo(Map.of("key", "a"));
		assertThat(returned.getMetadata().getNamespace()).isEqualTo("shop");
		assertThat(returned.getMetadata().getOwnerReferences())
			.containsExactly(new V1OwnerReference().apiVersion("example.com/v1")
				.kind("Widget")
				.name("one")
				.uid(this.widget.getMetadata().getUid())
				.controller(true)
				.blockOwnerDeletion(true));
		assertThat(this.runs.written).containsExactly(returned);
		assertThat(desired).isEqualTo(map("child", "a"));
		assertThat(this.api.requests()).singleElement().satisfies((request) -> {
			assertThat(request.method()).isEqualTo("PATCH");
			assertThat(request.path()).isEqualTo("/api/v1/namespaces/shop/configmaps/child");
			assertThat(request.query()).isEqualTo(Map.of("force", "true", "fieldManager", "tester"));
			assertThat(request.header("Content-Type")).isEqualTo("application/apply-patch+yaml");
		});
	}

	@Test
	void applyLeavesOutWhatIsTheServers() throws Exception {
		V1ConfigMap there = this.run.apply(map("child", "a"));
		V1ConfigMap again = map("child", "b");
		again.getMetadata()
			.resourceVersion("1")
			.uid("other")
			.generation(7L)
			.creationTimestamp(there.getMetadata().getCreationTimestamp().minusYears(1));
		V1ConfigMap returned = this.run.apply(again);
		assertThat(returned.getData()).isEqualTo(Map.of("key", "b"));
		assertThat(returned.getMetadata().getUid()).isEqualTo(there.getMetadata().getUid());
	}

	@Test
	void equalApplyIsSkippedWhileTheCacheShowsWhatCameOfIt() throws Exception {
		V1ConfigMap returned = this.run.apply(map("child", "a"));
		this.runs.cache(MAPS, returned);
		this.runs.written.clear();
		this.api.clearRequests();
		assertThat(this.run.apply(map("child", "a"))).isSameAs(returned);
		assertThat(this.api.requests()).isEmpty();
		assertThat(this.runs.written).isEmpty();
		V1ConfigMap labelled = this.api.resources(V1ConfigMap.class)
			.edit("shop", "child", (object) -> object.getMetadata().putLabelsItem("by", "another"));
		this.runs.cache(MAPS, labelled);
		assertThat(this.run.apply(map("child", "a"))).isSameAs(labelled);
		assertThat(patches()).isZero();
	}

	private long patches() {
		return this.api.requests().stream().filter((request) -> request.method().equals("PATCH")).count();
	}

	@Test
	void equalApplyIsSkippedWhereATransformDropsPartsOfTheCachedOutcome() throws Exception {
		V1ConfigMap returned = this.run.apply(map("child", "a"));
		this.runs.cache(MAPS, new V1ConfigMap().metadata(returned.getMetadata()));
		this.api.clearRequests();
		this.run.apply(map("child", "a"));
		V1ConfigMap status = new V1ConfigMap()
			.metadata(Informers.copyOf(returned.getMetadata()).resourceVersion("9999"));
		this.runs.cache(MAPS, status);
		assertThat(this.run.apply(map("child", "a"))).isSameAs(status);
		assertThat(this.api.requests()).isEmpty();
		status.getMetadata().putLabelsItem("by", "another");
		this.run.apply(map("child", "a"));
		assertThat(this.api.requests()).filteredOn((request) -> request.method().equals("PATCH")).hasSize(1);
	}

	@Test
	void objectWithoutAClassIsWrittenToItsOwnResourceOrToNone() throws Exception {
		this.api.serve("example.com", "v1", "gadgets", "Gadget", true);
		ResourceType<DynamicKubernetesObject> pods = ResourceType.parse("pods.v1.");
		ResourceType<DynamicKubernetesObject> gizmos = ResourceType.parse("gizmos.v1.example.com");
		ResourceType<DynamicKubernetesObject> gadgets = ResourceType.parse("gadgets.v1.example.com");
		DynamicKubernetesObject gadget = new DynamicKubernetesApi("example.com", "v1", "gadgets", client())
			.create(dynamic("example.com/v1", "Gadget"))
			.getObject();
		ReconcilerSpec<Widget> spec = ReconcilerSpec.of("tester", WIDGETS, (object, each) -> Result.done())
			.withWatched(watched(pods))
			.withWatched(watched(gizmos))
			.withWatched(watched(gadgets));
		RunReconciliation<Widget> watching = this.runs.run(spec, this.widget);
		this.runs.cache(pods, dynamic("v1", "Pod"));
		this.runs.cache(gizmos, dynamic("example.com/v1", "Gizmo"));
		this.api.clearRequests();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> watching.patch(gadget, PatchFormat.MERGE, "{\"spec\":{}}"))
			.withMessageContaining("'shop/thing' of kind 'Gadget'")
			.withMessageContaining("@KubernetesResource");
		assertThat(this.api.requests()).isEmpty();
		this.runs.cache(gadgets, gadget);
		DynamicKubernetesObject patched = watching.patch(gadget, PatchFormat.MERGE, "{\"spec\":{}}");
		assertThat(patched.getKind()).isEqualTo("Gadget");
		assertThat(this.api.requests()).extracting(RecordedRequest::path)
			.containsExactly("/apis/example.com/v1/namespaces/shop/gadgets/thing");
		this.runs.written.clear();
		watching.written(patched);
		assertThat(this.runs.writtenTypes).last().isEqualTo(gadgets);
	}

	private static WatchedResource<DynamicKubernetesObject> watched(ResourceType<DynamicKubernetesObject> type) {
		return new WatchedResource<>(type, Set.of(), null, null, (object) -> Stream.empty());
	}

	private static DynamicKubernetesObject dynamic(String apiVersion, String kind) {
		DynamicKubernetesObject object = new DynamicKubernetesObject();
		object.setApiVersion(apiVersion);
		object.setKind(kind);
		object.setMetadata(new V1ObjectMeta().namespace("shop").name("thing"));
		return object;
	}

	@Test
	void childOfATypeWithoutACacheIsNotRemembered() throws Exception {
		for (int i = 0; i < 20; i++) {
			this.run.apply(new V1Secret().metadata(new V1ObjectMeta().name("child-" + i)));
		}
		assertThat(this.runs.applied.size()).isZero();
	}

	@Test
	void childrenThatNoCacheHoldsAreBoundedByThoseThatCachesHold() throws Exception {
		V1ConfigMap cached = this.run.apply(map("cached", "a"));
		this.runs.cache(MAPS, cached);
		int most = 0;
		for (int i = 0; i < 300; i++) {
			this.run.apply(map("child-" + i, "a"));
			most = Math.max(most, this.runs.applied.size());
		}
		assertThat(most).isLessThanOrEqualTo(257);
		this.api.clearRequests();
		assertThat(this.run.apply(map("cached", "a"))).isSameAs(cached);
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void otherOrRecreatedChildIsAppliedAgain() throws Exception {
		this.runs.cache(MAPS, this.run.apply(map("child", "a")));
		V1ConfigMap changed = this.run.apply(map("child", "b"));
		assertThat(changed.getData()).isEqualTo(Map.of("key", "b"));
		this.api.resources(V1ConfigMap.class).delete("shop", "child");
		V1ConfigMap recreated = this.api.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("child")));
		this.runs.cache(MAPS, recreated);
		this.api.clearRequests();
		V1ConfigMap applied = this.run.apply(map("child", "b"));
		this.runs.cache(MAPS, applied);
		// Somebody else has made it: fields may have to be taken over.
		assertThat(this.api.requests()).extracting(RecordedRequest::method).containsExactly("GET", "PATCH");
	}

	@Test
	void equalApplyIsSkippedWhileCachedMetadataHasTheVersionThatCameOfIt() throws Exception {
		RunReconciliation<Widget> described = metadataRun();
		V1ConfigMap returned = described.apply(map("child", "a"));
		this.runs.cache(MAPS.metadata(), metadata(returned));
		this.runs.written.clear();
		this.api.clearRequests();
		assertThat(described.apply(map("child", "a"))).isEqualTo(returned);
		assertThat(this.api.requests()).isEmpty();
		assertThat(this.runs.written).isEmpty();
		this.runs.cache(MAPS.metadata(), metadata(this.api.resources(V1ConfigMap.class)
			.edit("shop", "child", (object) -> object.data(Map.of("key", "of another")))));
		assertThat(described.apply(map("child", "a")).getData()).containsEntry("key", "a");
		assertThat(this.api.requests()).hasSize(1);
	}

	@Test
	void objectWithAStatusIsAppliedAgainWhereOnlyItsMetadataIsCached() throws Exception {
		RunReconciliation<Widget> described = metadataRun();
		V1Deployment desired = new V1Deployment().metadata(new V1ObjectMeta().name("child"));
		described.apply(desired);
		V1Deployment ready = this.api.resources(V1Deployment.class)
			.edit("shop", "child", (object) -> object.status(new V1DeploymentStatus().readyReplicas(2)));
		this.runs.cache(ResourceType.of(V1Deployment.class).metadata(), metadata(ready));
		// The version that is cached from now on is that of the outcome.
		this.runs.cache(ResourceType.of(V1Deployment.class).metadata(), metadata(described.apply(desired)));
		this.api.clearRequests();
		assertThat(described.apply(desired).getStatus()).isEqualTo(ready.getStatus());
		assertThat(this.api.requests()).hasSize(1);
	}

	@Test
	void objectWithAStatusIsAppliedAgainWhereTheCacheOfWholeOnesLacksIt() throws Exception {
		ResourceType<V1Deployment> deployments = ResourceType.of(V1Deployment.class);
		RunReconciliation<Widget> both = this.runs.run(
				ReconcilerSpec.of("tester", WIDGETS, (object, each) -> Result.done())
					.withOwned(V1Deployment.class)
					.withWatched(WatchedResource.metadata(V1Deployment.class, (object) -> Stream.empty())),
				this.widget);
		V1Deployment desired = new V1Deployment().metadata(new V1ObjectMeta().name("child"));
		both.apply(desired);
		this.api.resources(V1Deployment.class)
			.edit("shop", "child", (object) -> object.status(new V1DeploymentStatus().readyReplicas(2)));
		V1Deployment ready = both.apply(desired);
		this.runs.cache(deployments.metadata(), metadata(ready));
		assertThat(both.apply(desired).getStatus()).isEqualTo(new V1DeploymentStatus().readyReplicas(2));
		this.runs.cache(deployments, ready);
		this.api.clearRequests();
		assertThat(both.apply(desired)).isSameAs(ready);
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void metadataAloneIsNeverAppliedOrCreated() {
		RunReconciliation<Widget> described = metadataRun();
		Metadata<V1ConfigMap> child = new Metadata<>("v1", "ConfigMap", new V1ObjectMeta().name("child"));
		assertThatIllegalArgumentException().isThrownBy(() -> described.apply(child))
			.withMessageContaining("is only the metadata of a 'ConfigMap'");
		assertThatIllegalArgumentException().isThrownBy(() -> described.create(child))
			.withMessageContaining("is only the metadata of a 'ConfigMap'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> described.delete(new Metadata<V1Node>("v1", "Node", new V1ObjectMeta().name("n"))))
			.withMessageContaining("neither owns nor watches");
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void metadataTellsWhoControlsAChild() {
		RunReconciliation<Widget> described = metadataRun();
		V1ConfigMap foreign = map("child", "a");
		foreign.getMetadata()
			.namespace("shop")
			.addOwnerReferencesItem(
					new V1OwnerReference().apiVersion("v1").kind("Gadget").name("g").uid("g").controller(true));
		this.runs.cache(MAPS.metadata(), new Metadata<>("v1", "ConfigMap", foreign.getMetadata()));
		assertThatIllegalStateException().isThrownBy(() -> described.apply(map("child", "a")))
			.withMessageContaining("Gadget 'g'");
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void writesOfWholeObjectsAreRecordedForTheirMetadata() {
		RunReconciliation<Widget> described = metadataRun();
		V1ConfigMap elsewhere = this.api.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("child")));
		described.written(elsewhere);
		described.written(metadata(elsewhere));
		described.written(new Metadata<V1Node>("v1", "Node", new V1ObjectMeta().name("n").resourceVersion("1")));
		assertThat(this.runs.writtenTypes).containsExactly(MAPS.metadata(), MAPS.metadata());
	}

	private RunReconciliation<Widget> metadataRun() {
		return this.runs.run(ReconcilerSpec.of("tester", WIDGETS, (object, run) -> Result.done())
			.withOwned(OwnedResource.metadata(V1ConfigMap.class))
			.withOwned(OwnedResource.metadata(V1Deployment.class)), this.widget);
	}

	private static Metadata<V1ConfigMap> metadata(KubernetesObject object) {
		return new Metadata<>(object.getApiVersion(), object.getKind(), object.getMetadata());
	}

	@Test
	void childOfAnotherControllerIsNotAdopted() throws Exception {
		V1ConfigMap foreign = map("child", "a");
		foreign.getMetadata()
			.namespace("shop")
			.addOwnerReferencesItem(
					new V1OwnerReference().apiVersion("v1").kind("Gadget").name("other").uid("u").controller(true));
		this.runs.cache(MAPS, foreign);
		assertThatIllegalStateException().isThrownBy(() -> this.run.apply(map("child", "a")))
			.withMessageContaining("'shop/child'")
			.withMessageContaining("Gadget 'other'")
			.withMessageContaining("Widget 'shop/one'");
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void ownerOfAnotherNamespaceIsRefused() {
		V1ConfigMap elsewhere = map("child", "a");
		elsewhere.getMetadata().namespace("other");
		assertThatIllegalArgumentException().isThrownBy(() -> this.run.apply(elsewhere))
			.withMessageContaining("Widget 'shop/one'")
			.withMessageContaining("ConfigMap 'other/child'");
		V1ClusterRole role = new V1ClusterRole().metadata(new V1ObjectMeta().name("role"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.run.create(role))
			.withMessageContaining("ClusterRole 'role'");
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void clusterScopedPrimaryOwnsInAnyNamespace() throws Exception {
		V1Node node = this.api.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("node")));
		RunReconciliation<V1Node> nodeRun = this.runs.run(ResourceType.of(V1Node.class), node);
		assertThatIllegalArgumentException().isThrownBy(() -> nodeRun.apply(map("child", "a")))
			.withMessageContaining("no namespace")
			.withMessageContaining("Node 'node'");
		V1ConfigMap child = map("child", "a");
		child.getMetadata().namespace("shop");
		assertThat(nodeRun.apply(child).getMetadata().getOwnerReferences()).hasSize(1);
	}

	@Test
	void createOwnsAndRecords() throws Exception {
		V1ConfigMap generated = new V1ConfigMap().metadata(new V1ObjectMeta().generateName("child-"));
		V1ConfigMap returned = this.run.create(generated);
		assertThat(returned.getMetadata().getName()).startsWith("child-");
		assertThat(returned.getMetadata().getOwnerReferences()).hasSize(1);
		assertThat(this.runs.written).containsExactly(returned);
		this.run.create(map("child", "a"));
		ApiException exists = catchThrowableOfType(ApiException.class, () -> this.run.create(map("child", "a")));
		assertThat(exists.getCode()).isEqualTo(409);
		assertThat(this.runs.writes.failure(exists).problem()).isEqualTo(Problem.ALREADY_EXISTS);
	}

	@Test
	void onlyTheObjectOfThatUidIsDeleted() throws Exception {
		V1ConfigMap first = this.run.create(map("child", "a"));
		this.run.delete(first);
		assertThat(this.api.resources(V1ConfigMap.class).get("shop", "child")).isNull();
		this.run.delete(first);
		V1ConfigMap second = this.run.create(map("child", "b"));
		this.run.delete(first);
		assertThat(this.api.resources(V1ConfigMap.class).get("shop", "child")).isEqualTo(second);
		assertThat(this.runs.deleted).containsExactly(first, first, first);
		assertThatIllegalArgumentException().isThrownBy(() -> this.run.delete(map("child", "a")))
			.withMessageContaining("has no UID");
	}

	@Test
	void deletedJobTakesItsPodsAlongUnlessTheyAreToStay() throws Exception {
		this.api.garbageCollection(true);
		V1Job first = jobWithPod("first");
		this.run.delete(first);
		await().until(() -> pod("first") == null && job("first") == null);
		V1Job second = jobWithPod("second");
		this.run.delete(second, DeleteOptions.defaults().withPropagationPolicy(PropagationPolicy.ORPHAN));
		await().until(() -> job("second") == null);
		assertThat(pod("second").getMetadata().getOwnerReferences()).isNullOrEmpty();
		V1Job third = jobWithPod("third");
		this.run.delete(third, DeleteOptions.defaults().withPropagationPolicy(PropagationPolicy.FOREGROUND));
		await().until(() -> pod("third") == null && job("third") == null);
	}

	@Test
	void deletionThatIsUnderWayKeepsItsPolicy() throws Exception {
		for (String finalizer : List.of("foregroundDeletion", "orphan")) {
			V1Job job = new V1Job().metadata(new V1ObjectMeta().namespace("shop").name("job").uid("1"));
			job.getMetadata().addFinalizersItem(finalizer);
			assertThat(Deletions.of(ResourceType.of(V1Job.class), job, DeleteOptions.defaults()).propagationPolicy())
				.isEqualTo(finalizer.equals("orphan") ? "Orphan" : "Foreground");
			assertThat(Deletions
				.of(ResourceType.of(V1Job.class), job,
						DeleteOptions.defaults().withPropagationPolicy(PropagationPolicy.BACKGROUND))
				.propagationPolicy()).isEqualTo("Background");
		}
	}

	private V1Job jobWithPod(String name) {
		V1Job job = this.api.resources(V1Job.class)
			.create(new V1Job().metadata(new V1ObjectMeta().namespace("shop").name(name)));
		this.api.resources(V1Pod.class)
			.create(new V1Pod().metadata(new V1ObjectMeta().namespace("shop")
				.name(name)
				.addOwnerReferencesItem(new V1OwnerReference().apiVersion("batch/v1")
					.kind("Job")
					.name(name)
					.uid(job.getMetadata().getUid())
					.controller(true)
					.blockOwnerDeletion(true))));
		return job;
	}

	private V1Job job(String name) {
		return this.api.resources(V1Job.class).get("shop", name);
	}

	private V1Pod pod(String name) {
		return this.api.resources(V1Pod.class).get("shop", name);
	}

	@Test
	void changedObjectIsNotDeletedWhereItMustBeUnchanged() throws Exception {
		V1ConfigMap read = this.run.create(map("child", "a"));
		V1ConfigMap changed = this.run.apply(map("child", "b"));
		DeleteOptions options = DeleteOptions.defaults().ifUnchanged();
		ApiException refused = catchThrowableOfType(ApiException.class, () -> this.run.delete(read, options));
		assertThat(this.runs.writes.failure(refused).problem()).isEqualTo(Problem.CONFLICT);
		assertThat(this.runs.deleted).isEmpty();
		this.run.delete(changed, options);
		assertThat(this.api.resources(V1ConfigMap.class).get("shop", "child")).isNull();
		V1ConfigMap unversioned = map("child", "a");
		unversioned.getMetadata().uid("1");
		assertThatIllegalArgumentException().isThrownBy(() -> this.run.delete(unversioned, options))
			.withMessageContaining("has no resourceVersion");
	}

	@Test
	void patchesOfEachFormatAreSent() throws Exception {
		V1ConfigMap there = this.run.create(map("child", "a"));
		assertThat(this.run.patch(there, PatchFormat.MERGE, "{\"data\":{\"more\":\"b\"}}").getData())
			.isEqualTo(Map.of("key", "a", "more", "b"));
		assertThat(this.run.patch(there, PatchFormat.STRATEGIC_MERGE, "{\"data\":{\"more\":null}}").getData())
			.isEqualTo(Map.of("key", "a"));
		assertThat(
				this.run.patch(there, PatchFormat.JSON, "[{\"op\":\"replace\",\"path\":\"/data/key\",\"value\":\"c\"}]")
					.getData())
			.isEqualTo(Map.of("key", "c"));
		assertThat(this.runs.written).hasSize(4);
	}

	@Test
	void statusIsCreatedAndOnlyWhatDiffersIsSent() throws Exception {
		Widget returned = this.run.status((object) -> object.status.ready = 1);
		assertThat(returned.status.ready).isEqualTo(1);
		assertThat(this.run.latest()).isSameAs(returned);
		assertThat(this.widget.status).isNull();
		assertThat(this.runs.written).singleElement().isNotSameAs(returned);
		this.api.clearRequests();
		assertThat(this.run.status((object) -> object.status.ready = 1)).isSameAs(returned);
		assertThat(this.api.requests()).isEmpty();
		Widget without = this.run.status((object) -> {
			object.status.ready = null;
			object.status.phase = "Gone";
		});
		assertThat(without.status.ready).isNull();
		assertThat(without.status.phase).isEqualTo("Gone");
		assertThat(this.api.requests()).singleElement()
			.extracting(RecordedRequest::path)
			.isEqualTo("/apis/example.com/v1/namespaces/shop/widgets/one/status");
	}

	@Test
	void statusThatOthersWriteMeanwhileIsKept() throws Exception {
		this.api.resources(Widget.class, "example.com", "v1", "widgets")
			.edit("shop", "one", (object) -> object.getMetadata().putLabelsItem("by", "another"));
		Widget returned = this.run.status((object) -> object.status.seen = Map.of("a", "b"));
		assertThat(returned.status.seen).isEqualTo(Map.of("a", "b"));
		assertThat(returned.getMetadata().getLabels()).containsEntry("by", "another");
	}

	@Test
	void listIsReplacedOnlyInTheVersionThatTheRunKnows() throws Exception {
		this.api.resources(Widget.class, "example.com", "v1", "widgets")
			.edit("shop", "one", (object) -> object.getMetadata().putLabelsItem("by", "another"));
		ApiException conflict = catchThrowableOfType(ApiException.class,
				() -> this.run.status((object) -> object.status.conditions = ready(object.status.conditions)));
		assertThat(this.runs.writes.failure(conflict).problem()).isEqualTo(Problem.CONFLICT);
		// A write of its own leads to the newer version.
		this.run.patch(this.widget, PatchFormat.MERGE, "{\"metadata\":{\"labels\":{\"mine\":\"x\"}}}");
		Widget returned = this.run.status((object) -> object.status.conditions = ready(object.status.conditions));
		assertThat(Conditions.isTrue(returned.status.conditions, "Ready")).isTrue();
	}

	private static List<V1Condition> ready(List<V1Condition> conditions) {
		return Conditions.set(conditions, "Ready", "True", "AllUp", "all");
	}

	@Test
	void onlyTheStatusMayBeChanged() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.run.status((object) -> object.spec.size = 99))
			.withMessageContaining("'spec.size'")
			.withMessageNotContaining("99");
		assertThat(this.widget.spec.size).isEqualTo(3);
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void writeMadeElsewhereIsRecorded() {
		V1ConfigMap elsewhere = this.api.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("child")));
		this.run.written(elsewhere);
		assertThat(this.runs.written).containsExactly(elsewhere);
		assertThatIllegalArgumentException().isThrownBy(() -> this.run.written(map("child", "a")))
			.withMessageContaining("resourceVersion");
		this.run.written(new V1Node().metadata(new V1ObjectMeta().name("node").resourceVersion("1")));
		assertThat(this.runs.written).hasSize(1);
	}

	@Test
	void writesSeenOnAClientAreRecordedWhereThereIsACache() {
		V1ConfigMap map = map("child", "a");
		this.run.recorded(new RecordedWrite("", "configmaps", false, map));
		this.run.recorded(new RecordedWrite("", "configmaps", true, map));
		this.run.recorded(new RecordedWrite("", "secrets", false, map));
		this.run.close();
		this.run.recorded(new RecordedWrite("", "configmaps", false, map));
		assertThat(this.runs.written).containsExactly(map);
		assertThat(this.runs.deleted).containsExactly(map);
	}

	@Test
	void equalEventsBecomeASeries() {
		for (int i = 0; i < 5; i++) {
			this.run.event(EventType.WARNING, "Failed", "no");
		}
		this.run.event("Scaled", "to 3");
		List<EventsV1Event> events = this.api.resources(EventsV1Event.class).list("shop");
		assertThat(events).hasSize(2);
		EventsV1Event failed = events.stream().filter((event) -> event.getReason().equals("Failed")).findAny().get();
		assertThat(failed.getType()).isEqualTo("Warning");
		assertThat(failed.getSeries().getCount()).isEqualTo(2);
		assertThat(failed.getRegarding().getUid()).isEqualTo(this.widget.getMetadata().getUid());
		assertThat(failed.getReportingController()).isEqualTo("tester");
		assertThat(this.runs.written).isEmpty();
		assertThat(this.api.requests()).hasSize(3);
	}

	@Test
	void eventThatIsRefusedFailsNoRun() {
		this.api.faults().on(Requests.create("events")).forbid();
		this.run.event("Scaled", "to 3");
		this.run.event("Scaled", "to 4");
		assertThat(this.api.requests()).hasSize(1);
	}

	@Test
	void runIsForItsThreadUntilItEnds() throws Exception {
		FutureTask<V1ConfigMap> other = new FutureTask<>(() -> this.run.apply(map("child", "a")));
		Thread thread = new Thread(other, "stranger");
		thread.start();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(other::get)
			.withCauseInstanceOf(IllegalStateException.class)
			.withMessageContaining("'stranger'");
		this.run.close();
		assertThatIllegalStateException().isThrownBy(() -> this.run.apply(map("child", "a")))
			.withMessageContaining("had ended");
		assertThatIllegalStateException().isThrownBy(() -> this.run.status((object) -> {
		}));
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void applyToThePrimaryItselfHasNoOwnerAndIsTheLatest() throws Exception {
		Widget desired = Widget.named("shop", "one");
		desired.getMetadata().setLabels(new HashMap<>(Map.of("a", "b")));
		Widget returned = this.run.apply(desired);
		assertThat(returned.getMetadata().getOwnerReferences()).isNullOrEmpty();
		assertThat(this.run.latest()).isSameAs(returned);
	}

	@Test
	void stateOfAChildIsSmall() throws Exception {
		List<V1ConfigMap> children = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			children.add(this.run.apply(map("child-" + i, "a")));
		}
		assertThat(this.runs.applied.size()).isEqualTo(10);
		children.forEach(this.runs.applied::forget);
		assertThat(this.runs.applied.size()).isZero();
	}

	@Test
	void objectIsReadFromTheServer() throws Exception {
		ApiWritesCaller caller = new ApiWritesCaller(this.runs);
		assertThat(caller.get(WIDGETS, new ObjectKey("shop", "one")).getMetadata().getUid())
			.isEqualTo(this.widget.getMetadata().getUid());
		assertThat(caller.get(WIDGETS, new ObjectKey("shop", "two"))).isNull();
	}

	private record ApiWritesCaller(TestRuns runs) {

		Widget get(ResourceType<Widget> type, ObjectKey key) throws ApiException {
			return this.runs.writes.get(type, key, new Caller("tester", this.runs.calls));
		}

	}

}
