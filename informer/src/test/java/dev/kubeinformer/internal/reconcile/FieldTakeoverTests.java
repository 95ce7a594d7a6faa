package dev.kubeinformer.internal.reconcile;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Effect of the first apply on fields that were created or updated before. */
class FieldTakeoverTests {

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private static final String APPLY = "application/apply-patch+yaml";

	private static final String READ = "GET";

	private static final String JSON_PATCH = "application/json-patch+json";

	private static final Predicate<RecordedRequest> APPLIES = (request) -> APPLY.equals(request.header("Content-Type"));

	private static final Predicate<RecordedRequest> UPGRADES = (request) -> JSON_PATCH
		.equals(request.header("Content-Type"));

	private static final Map<String, String> BOTH = Map.of("key", "a", "old", "b");

	private static final Map<String, String> ONE = Map.of("key", "a");

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.namespacesMustExist(false)
		.validation(false)
		.start();

	private CoreV1Api core;

	private TestRuns runs;

	private Widget widget;

	private RunReconciliation<Widget> run;

	@BeforeEach
	void start() {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		this.widget = this.api.resources(Widget.class, "example.com", "v1", "widgets")
			.create(Widget.named("shop", "one"));
		restart();
		this.core = new CoreV1Api(client());
		this.api.clearRequests();
	}

	private ApiClient client() {
		return client(new OkHttpClient());
	}

	private ApiClient client(OkHttpClient http) {
		ApiClient client = new ApiClient(http);
		client.setBasePath(this.api.url());
		return client;
	}

	private void restart() {
		this.runs = new TestRuns(client());
		this.run = this.runs.run(spec(), this.widget);
	}

	private static ReconcilerSpec<Widget> spec() {
		return ReconcilerSpec.of("tester", ResourceType.of(Widget.class), (object, run) -> Result.done())
			.withOwned(V1ConfigMap.class)
			.withOwned(V1Deployment.class);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	private static V1ConfigMap map(Map<String, String> data) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name("child")).data(data);
	}

	private void create(String manager, Map<String, String> data) throws ApiException {
		this.runs.cache(MAPS, this.core.createNamespacedConfigMap("shop", map(data)).fieldManager(manager).execute());
		this.api.clearRequests();
	}

	private V1ConfigMap merge(String manager, String patch) throws ApiException {
		Caller caller = new Caller(manager, this.runs.calls);
		ObjectKey key = new ObjectKey("shop", "child");
		return this.runs.writes.patch(MAPS, key, PatchFormat.MERGE.mediaType(), patch.getBytes(StandardCharsets.UTF_8),
				caller);
	}

	private List<String> managers() throws Exception {
		Request request = new Request.Builder().url(this.api.url() + "/api/v1/namespaces/shop/configmaps/child")
			.build();
		try (Response response = new OkHttpClient().newCall(request).execute()) {
			Map<?, ?> object = (Map<?, ?>) this.runs.json.readUntyped(response.body().bytes());
			List<?> entries = (List<?>) ((Map<?, ?>) object.get("metadata")).get("managedFields");
			return entries.stream()
				.map((entry) -> (Map<?, ?>) entry)
				.map((entry) -> entry.get("manager") + " " + entry.get("operation"))
				.toList();
		}
	}

	private List<String> sent() {
		return this.api.requests()
			.stream()
			.map((request) -> request.method().equals(READ) ? READ : request.header("Content-Type"))
			.toList();
	}

	@Test
	void createdFieldsThatAnApplyDoesNotNameAreRemoved() throws Exception {
		this.runs.cache(MAPS, this.run.create(map(BOTH)));
		this.api.clearRequests();
		V1ConfigMap applied = this.run.apply(map(ONE));
		assertThat(applied.getData()).isEqualTo(ONE);
		assertThat(sent()).containsExactly(READ, JSON_PATCH, APPLY);
		assertThat(managers()).containsExactly("tester Apply");
		assertThat(this.runs.written).last().isEqualTo(applied);
	}

	@Test
	void createdFieldsThatAnApplyNamesAreRemovedByALaterOne() throws Exception {
		this.runs.cache(MAPS, this.run.create(map(BOTH)));
		this.api.clearRequests();
		V1ConfigMap applied = this.run.apply(map(BOTH));
		assertThat(sent()).containsExactly(READ, JSON_PATCH, APPLY);
		this.runs.cache(MAPS, applied);
		assertThat(this.run.apply(map(BOTH))).isSameAs(applied);
		assertThat(sent()).hasSize(3);
		assertThat(this.run.apply(map(ONE)).getData()).isEqualTo(ONE);
		assertThat(sent()).containsExactly(READ, JSON_PATCH, APPLY, APPLY);
	}

	@Test
	void objectThatNobodyElseHasWrittenCostsOneRequest() throws Exception {
		V1ConfigMap applied = this.run.apply(map(BOTH));
		assertThat(sent()).containsExactly(APPLY);
		this.runs.cache(MAPS, applied);
		this.api.clearRequests();
		restart();
		this.runs.cache(MAPS, applied);
		assertThat(this.run.apply(map(ONE)).getData()).isEqualTo(ONE);
		assertThat(sent()).containsExactly(APPLY);
	}

	@Test
	void objectThatTheCacheDoesNotShowIsTakenOverAsWell() throws Exception {
		this.run.create(map(BOTH));
		assertThat(this.run.apply(map(ONE)).getData()).isEqualTo(ONE);
		assertThat(managers()).containsExactly("tester Apply");
	}

	@Test
	void fieldsOfFormerManagersAreTakenOverAndThoseOfOthersStay() throws Exception {
		create("old-operator", BOTH);
		merge("kubectl-edit", "{\"data\":{\"foreign\":\"c\"}}");
		assertThat(this.run.apply(map(ONE)).getData()).containsOnlyKeys("key", "old", "foreign");
		RunReconciliation<Widget> successor = this.runs
			.run(spec().withFormerFieldManagers(Set.of("older-operator", "old-operator")), this.widget);
		assertThat(successor.apply(map(Map.of("key", "b"))).getData()).containsOnlyKeys("key", "foreign");
		assertThat(managers()).containsExactly("tester Apply", "kubectl-edit Update");
	}

	@Test
	void formerManagersThatAreSetLaterAreTakenOverThoughNothingDiffers() throws Exception {
		create("old-operator", BOTH);
		V1ConfigMap applied = this.run.apply(map(ONE));
		restart();
		this.runs.cache(MAPS, applied);
		assertThat(this.run.apply(map(ONE))).isSameAs(applied);
		ReconcilerSpec<Widget> successor = spec().withFormerFieldManagers(Set.of("old-operator"));
		applied = this.runs.run(successor, this.widget).apply(map(ONE));
		assertThat(applied.getData()).isEqualTo(ONE);
		restart();
		this.runs.cache(MAPS, applied);
		assertThat(this.runs.run(successor, this.widget).apply(map(ONE))).isSameAs(applied);
	}

	@Test
	void ownUpdatesOfAnObjectThatWasAppliedStay() throws Exception {
		V1ConfigMap patched = this.run.patch(this.run.apply(map(ONE)), PatchFormat.MERGE,
				"{\"data\":{\"patched\":\"c\"}}");
		restart();
		this.runs.cache(MAPS, patched);
		this.api.clearRequests();
		assertThat(this.run.apply(map(Map.of("key", "b"))).getData()).containsOnlyKeys("key", "patched");
		assertThat(sent()).containsExactly(APPLY);
	}

	@Test
	void ownUpdatesAreTakenOverOnceInAProcessWhereObjectsHaveNoAnnotation() throws Exception {
		ReconcilerSpec<Widget> plain = spec().withAppliedDigest(false);
		V1ConfigMap patched = this.run.patch(this.runs.run(plain, this.widget).apply(map(ONE)), PatchFormat.MERGE,
				"{\"data\":{\"patched\":\"c\"}}");
		restart();
		this.runs.cache(MAPS, patched);
		V1ConfigMap applied = this.runs.run(plain, this.widget).apply(map(ONE));
		assertThat(applied.getData()).isEqualTo(ONE);
		this.runs.cache(MAPS, this.run.patch(applied, PatchFormat.MERGE, "{\"data\":{\"patched\":\"c\"}}"));
		assertThat(this.runs.run(plain, this.widget).apply(map(Map.of("key", "b"))).getData()).containsOnlyKeys("key",
				"patched");
	}

	@Test
	void finalizersStay() throws Exception {
		V1ConfigMap created = this.run.create(map(BOTH));
		this.run.patch(created, PatchFormat.MERGE, "{\"metadata\":{\"finalizers\":[\"example.com/other\"]}}");
		V1ConfigMap applied = this.run.apply(map(ONE));
		assertThat(applied.getData()).isEqualTo(ONE);
		assertThat(applied.getMetadata().getFinalizers()).containsExactly("example.com/other");
		assertThat(managers()).containsExactly("tester Apply", "tester Update");
	}

	@Test
	void statusStays() throws Exception {
		V1Deployment deployment = new V1Deployment().metadata(new V1ObjectMeta().name("child").putLabelsItem("a", "b"))
			.spec(new V1DeploymentSpec().replicas(2));
		this.run.create(deployment);
		this.runs.writes.patchStatus(ResourceType.of(V1Deployment.class), new ObjectKey("shop", "child"),
				"{\"status\":{\"readyReplicas\":2}}".getBytes(StandardCharsets.UTF_8),
				new Caller("tester", this.runs.calls));
		V1Deployment applied = this.run
			.apply(new V1Deployment().metadata(new V1ObjectMeta().name("child")).spec(new V1DeploymentSpec()));
		assertThat(applied.getMetadata().getLabels()).isNullOrEmpty();
		assertThat(applied.getSpec().getReplicas()).isNull();
		assertThat(applied.getStatus().getReadyReplicas()).isEqualTo(2);
	}

	@Test
	void thePrimaryIsNotTakenOver() throws Exception {
		Widget patched = this.run.patch(this.widget, PatchFormat.MERGE, "{\"metadata\":{\"labels\":{\"by\":\"me\"}}}");
		RunReconciliation<Widget> former = this.runs.run(spec().withFormerFieldManagers(Set.of("tester")), patched);
		former.apply(Widget.named("shop", "one"));
		assertThat(this.api.resources(Widget.class, "example.com", "v1", "widgets")
			.get("shop", "one")
			.getMetadata()
			.getLabels()).containsKey("by");
		assertThat(this.api.requests()).noneMatch(UPGRADES);
	}

	@Test
	void objectsWithoutAnOwnerAreTakenOver() throws Exception {
		ReconcilerSpec<Widget> unowning = spec().withUnowned("example.com/tester",
				UnownedResource.of(V1ClusterRole.class));
		V1ClusterRole role = new V1ClusterRole().metadata(new V1ObjectMeta().name("role"));
		this.runs.run(unowning, this.widget).applyUnowned(role);
		this.runs.writes.patch(ResourceType.of(V1ClusterRole.class), new ObjectKey("", "role"),
				PatchFormat.MERGE.mediaType(),
				"{\"metadata\":{\"labels\":{\"by\":\"old\"}}}".getBytes(StandardCharsets.UTF_8),
				new Caller("old-operator", this.runs.calls));
		RunReconciliation<Widget> successor = this.runs.run(unowning.withFormerFieldManagers(Set.of("old-operator")),
				this.widget);
		assertThat(successor.applyUnowned(role).getMetadata().getLabels()).doesNotContainKey("by");
	}

	@Test
	void takeoverIsRepeatedWhenTheObjectChangesMeanwhile() throws Exception {
		create("tester", BOTH);
		this.api.faults().on(UPGRADES).times(2).status(409);
		assertThat(this.run.apply(map(ONE)).getData()).isEqualTo(ONE);
		assertThat(sent()).containsExactly(READ, JSON_PATCH, READ, JSON_PATCH, READ, JSON_PATCH, APPLY);
	}

	@Test
	void changeOfAnotherOneMeanwhileIsNotLost() throws Exception {
		create("tester", BOTH);
		TestRuns others = this.runs;
		AtomicBoolean changed = new AtomicBoolean();
		this.runs = new TestRuns(client(new OkHttpClient.Builder().addInterceptor((chain) -> {
			if (JSON_PATCH.equals(chain.request().header("Content-Type")) && !changed.getAndSet(true)) {
				change(others, "{\"data\":{\"foreign\":\"c\"}}");
			}
			return chain.proceed(chain.request());
		}).build()));
		assertThat(this.runs.run(spec(), this.widget).apply(map(ONE)).getData()).containsOnlyKeys("key", "foreign");
		assertThat(this.api.requests()).filteredOn(UPGRADES)
			.extracting(RecordedRequest::status)
			.containsExactly(409, 200);
		assertThat(managers()).containsExactlyInAnyOrder("tester Apply", "other Update");
	}

	private static void change(TestRuns others, String patch) {
		try {
			others.writes.patch(MAPS, new ObjectKey("shop", "child"), PatchFormat.MERGE.mediaType(),
					patch.getBytes(StandardCharsets.UTF_8), new Caller("other", others.calls));
		}
		catch (ApiException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void objectThatChangesAllTheTimeIsLeftToTheNextRun() throws Exception {
		create("tester", BOTH);
		Fault conflict = this.api.faults().on(UPGRADES).status(409);
		ApiException failure = catchThrowableOfType(ApiException.class, () -> this.run.apply(map(ONE)));
		assertThat(failure.getCode()).isEqualTo(409);
		assertThat(conflict.hits()).isEqualTo(5);
		conflict.remove();
		assertThat(this.run.apply(map(ONE)).getData()).isEqualTo(ONE);
	}

	@Test
	void takeoverThatFailedIsFinishedByTheNextProcess() throws Exception {
		create("tester", BOTH);
		this.api.faults().on(UPGRADES).times(1).status(500);
		ApiException failure = catchThrowableOfType(ApiException.class, () -> this.run.apply(map(ONE)));
		assertThat(failure.getCode()).isEqualTo(500);
		finishInAnotherProcess();
	}

	@Test
	void takeoverWhoseApplyFailedIsFinishedByTheNextProcess() throws Exception {
		create("tester", BOTH);
		this.api.faults().on(APPLIES).times(1).status(500);
		ApiException failure = catchThrowableOfType(ApiException.class, () -> this.run.apply(map(ONE)));
		assertThat(failure.getCode()).isEqualTo(500);
		finishInAnotherProcess();
	}

	private void finishInAnotherProcess() throws Exception {
		restart();
		V1ConfigMap there = this.core.readNamespacedConfigMap("child", "shop").execute();
		this.runs.cache(MAPS, there);
		V1ConfigMap applied = this.run.apply(map(ONE));
		assertThat(applied.getData()).isEqualTo(ONE);
		assertThat(managers()).containsExactly("tester Apply");
		this.api.clearRequests();
		restart();
		this.runs.cache(MAPS, applied);
		this.run.apply(map(ONE));
		assertThat(sent()).isEmpty();
	}

	@Test
	void takeoverWithoutAnAnnotationThatFailedIsFinishedByTheNextRunWhateverTheCacheShows() throws Exception {
		RunReconciliation<Widget> plain = this.runs.run(spec().withAppliedDigest(false), this.widget);
		create("tester", BOTH);
		this.api.faults().on(UPGRADES).times(1).status(500);
		ApiException failure = catchThrowableOfType(ApiException.class, () -> plain.apply(map(ONE)));
		assertThat(failure.getCode()).isEqualTo(500);
		this.runs.cache(MAPS, this.core.readNamespacedConfigMap("child", "shop").execute());
		assertThat(plain.apply(map(ONE)).getData()).isEqualTo(ONE);
		assertThat(managers()).containsExactly("tester Apply");
	}

	@Test
	void objectThatMayNotBeReadIsTakenOverByTheAnswerOfTheApply() throws Exception {
		create("tester", BOTH);
		this.api.faults().on((request) -> request.method().equals(READ)).status(403);
		assertThat(this.run.apply(map(ONE)).getData()).isEqualTo(ONE);
		assertThat(sent()).containsExactly(READ, APPLY, JSON_PATCH, APPLY);
	}

	@Test
	void objectThatWasTakenOverIsNotReadAgainInAnotherProcess() throws Exception {
		ReconcilerSpec<Widget> successor = spec().withFormerFieldManagers(Set.of("old-operator"));
		create("old-operator", BOTH);
		V1ConfigMap applied = this.runs.run(successor, this.widget).apply(map(ONE));
		restart();
		this.runs.cache(MAPS, applied);
		this.api.clearRequests();
		this.runs.run(successor, this.widget).apply(map(Map.of("key", "b")));
		assertThat(sent()).containsExactly(APPLY);
	}

}
