package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Informers on resources without a class.
 */
class DynamicInformerTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final Recorder<DynamicKubernetesObject> recorder = new Recorder<>();

	private Informers informers = EngineTestSupport.informers(this.api.url());

	@BeforeEach
	void serve() {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
	}

	@Test
	void objectsOfANamedResourceAreListedWatchedAndDelivered() throws InterruptedException {
		create("a", 1);
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		assertThat(widgets.id()).isEqualTo("widgets.v1.example.com");
		create("b", 2);
		size("a", 3);
		delete("b");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b", "~a", "-b"));
		DynamicKubernetesObject a = widgets.lister().namespace("web").get("a");
		assertThat(a).isExactlyInstanceOf(DynamicKubernetesObject.class);
		assertThat(a.getKind()).isEqualTo("Widget");
		assertThat(a.getApiVersion()).isEqualTo("example.com/v1");
		assertThat(a.getRaw().getAsJsonObject("spec").get("size").getAsInt()).isEqualTo(3);
		ResourceEvent<DynamicKubernetesObject> update = this.recorder.events().get(2);
		assertThat(update.generationChanged()).isTrue();
		assertThat(size(update.oldObject())).isEqualTo(1);
	}

	@Test
	void objectIsTheTreeThatTheServerSentWithoutManagedFields() throws InterruptedException {
		String tree = """
				{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "namespace": "web",
				 "managedFields": [{"manager": "test", "operation": "Update"}]},
				 "spec": {"text": "ä\\n", "none": null, "list": [1, 2.50, 12345678901234567890, true, [], {}]}}""";
		DynamicKubernetesObject stored = created(widgetsAtServer(),
				new DynamicKubernetesObject(JsonParser.parseString(tree).getAsJsonObject()));
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		JsonObject expected = stored.getRaw().deepCopy();
		assertThat(expected.getAsJsonObject("metadata").remove("managedFields")).isNotNull();
		assertThat(widgets.lister().get("web/a").getRaw()).isEqualTo(expected);
		this.informers.close();
		this.informers = EngineTestSupport.informers(this.api.url(),
				(settings) -> settings.keepManagedFields((type) -> true));
		assertThat(start(widgets()).lister().get("web/a").getRaw()).isEqualTo(stored.getRaw());
	}

	@ParameterizedTest
	@CsvSource({ "PAGED", "STREAMING" })
	void missedDeletionsComeFirstAndWhatIsUnchangedStaysOneInstance(ListMode mode) throws InterruptedException {
		this.informers.close();
		this.informers = EngineTestSupport.informers(this.api.url(), (settings) -> settings.listMode(mode));
		List.of("a", "b", "gone").forEach((name) -> create(name, 1));
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		DynamicKubernetesObject unchanged = widgets.lister().get("web/a");
		this.recorder.clear();
		Fault unreachable = this.api.faults().on(Requests.watch("widgets")).cut();
		this.api.dropConnections();
		await().until(() -> widgets.state() == InformerState.STALE);
		delete("gone");
		create("new", 1);
		size("b", 2);
		this.api.compact();
		unreachable.remove();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).hasSize(3));
		assertThat(this.recorder.delivered().get(0)).isEqualTo("-gone?");
		assertThat(this.recorder.delivered()).contains("~b", "+new");
		assertThat(widgets.lister().get("web/a")).isSameAs(unchanged);
		assertThat(widgets.status().lists().total()).isEqualTo(2);
	}

	@Test
	void watchIsResumedWithoutAListAndNothingIsMissed() throws InterruptedException {
		create("a", 1);
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		this.api.dropConnections();
		create("b", 1);
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		this.api.sendBookmarks();
		await().until(() -> widgets.lastSyncResourceVersion().equals(this.api.resourceVersion()));
		assertThat(widgets.status().lists().total()).isEqualTo(1);
		assertThat(discoveries()).hasSize(1);
	}

	@Test
	void resyncDeliversTheSameInstance() throws InterruptedException {
		create("a", 1);
		Informer<DynamicKubernetesObject> widgets = this.informers.informer(widgets());
		widgets.addHandler(this.recorder, HandlerOptions.defaults().withResync(Duration.ofMillis(50)));
		this.informers.start();
		await().until(() -> this.recorder.delivered().contains("=a"));
		ResourceEvent<DynamicKubernetesObject> resync = this.recorder.events().get(1);
		assertThat(resync.object()).isSameAs(resync.oldObject()).isSameAs(widgets.lister().get("web/a"));
	}

	@Test
	void transformAndIndexWorkOnTheTree() throws InterruptedException {
		create("a", 1);
		create("b", 2);
		Informer<DynamicKubernetesObject> widgets = this.informers.informer(widgets());
		widgets.setTransform((object) -> {
			((DynamicKubernetesObject) object).getRaw().remove("status");
			((DynamicKubernetesObject) object).getRaw().addProperty("seen", true);
			return object;
		});
		widgets.addIndexers(Map.of("size", (object) -> List.of(Integer.toString(size(object)))));
		this.informers.start();
		assertThat(widgets.awaitSync(LONG)).isTrue();
		assertThat(widgets.getIndexer().byIndex("size", "2")).singleElement()
			.satisfies((object) -> assertThat(object.getRaw().has("seen")).isTrue());
	}

	@Test
	void copyIsPrivateAndChangesNothingInTheCache() throws InterruptedException {
		create("a", 1);
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		DynamicKubernetesObject cached = widgets.lister().get("web/a");
		DynamicKubernetesObject copy = Informers.copyOf(cached);
		assertThat(copy).isEqualTo(cached).isNotSameAs(cached);
		copy.getRaw().getAsJsonObject("spec").addProperty("size", 7);
		assertThat(size(cached)).isEqualTo(1);
	}

	@Test
	void treeThatSomebodyChangedKeepsItsKeyAndIsMendedByAVerification() throws InterruptedException {
		this.informers.close();
		this.informers = EngineTestSupport.informers(this.api.url(),
				(settings) -> settings.timings(EngineTestSupport.withShortWatches(Duration.ofSeconds(5)))
					.verifyEvery(Duration.ofMillis(300)));
		create("a", 1);
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		DynamicKubernetesObject cached = widgets.lister().get("web/a");
		cached.getRaw().getAsJsonObject("metadata").addProperty("name", "other");
		cached.getRaw().getAsJsonObject("spec").addProperty("size", 7);
		assertThat(widgets.lister().get("web/a")).isSameAs(cached);
		await().atMost(LONG).until(() -> size(widgets.lister().get("web/a")) == 1);
		assertThat(widgets.snapshot().keys()).containsExactly("web/a");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).startsWith("+a", "~a"));
	}

	@Test
	void writeOfOnesOwnIsAwaited() throws InterruptedException {
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		DynamicKubernetesObject written = create("a", 1);
		assertThat(widgets.await(written, LONG)).isTrue();
		assertThat(widgets.lister().get("web/a").getMetadata().getUid()).isEqualTo(written.getMetadata().getUid());
		V1Pod pod = new V1Pod().apiVersion("v1")
			.kind("Pod")
			.metadata(new V1ObjectMeta().name("a").resourceVersion("1"));
		assertThatIllegalArgumentException().isThrownBy(() -> widgets.await(pod, LONG))
			.withMessageContaining("'widgets.example.com'");
	}

	@Test
	void builtInResourceHasItsKindAlsoWhereTheListLeavesItOut() throws InterruptedException {
		this.api.resources(V1Pod.class).create(EngineTestSupport.pod("web", "a").apiVersion(null).kind(null));
		InformerSpec<DynamicKubernetesObject> spec = InformerSpec.dynamic("", "v1", "pods").withNamespaces("web");
		Informer<DynamicKubernetesObject> pods = start(spec);
		DynamicKubernetesObject pod = pods.lister().get("web/a");
		assertThat(pod.getKind()).isEqualTo("Pod");
		assertThat(pod.getApiVersion()).isEqualTo("v1");
		assertThat(pod.getRaw().getAsJsonObject("spec").getAsJsonArray("containers")).hasSize(1);
		this.api.resources(V1Pod.class)
			.edit("web", "a", (each) -> each.getSpec().addContainersItem(new V1Container().name("b").image("b:1")));
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "~a"));
	}

	@Test
	void informersOnAClassOnTheNameAndOnAnotherVersionAreThree() throws InterruptedException {
		create("a", 1);
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		Informer<Widget> typed = this.informers.informer(Widget.class);
		Informer<DynamicKubernetesObject> other = this.informers
			.informer(InformerSpec.dynamic("example.com", "v2", "widgets"));
		assertThat(typed.awaitSync(LONG)).isTrue();
		assertThat(List.of(widgets.id(), typed.id(), other.id())).containsExactly("widgets.v1.example.com",
				"widgets.example.com", "widgets.v2.example.com");
		await().until(() -> other.state() == InformerState.NOT_FOUND);
		assertThat(other.status().lastError().message()).contains("serves 'example.com' in 'v1' and not in 'v2'");
		assertThat(this.informers.informer(widgets())).isSameAs(widgets);
	}

	@Test
	void resourceThatIsDefinedLaterIsFoundThen() throws InterruptedException {
		Informer<DynamicKubernetesObject> gadgets = this.informers
			.informer(InformerSpec.dynamic("gadgets.io", "v1", "gadgets"));
		HandlerRegistration registration = gadgets.addHandler(this.recorder, HandlerOptions.defaults());
		this.informers.start();
		await().until(() -> gadgets.state() == InformerState.NOT_FOUND);
		assertThat(gadgets.status().lastError().message()).contains(
				"check that the CustomResourceDefinition 'gadgets.gadgets.io' is installed and serves the version 'v1'");
		assertThat(registration.hasSynced()).isFalse();
		this.api.serve("gadgets.io", "v1", "gadgets", "Gadget", true);
		assertThat(registration.awaitSync(LONG)).isTrue();
		created(atServer("gadgets.io", "gadgets"), object("gadgets.io/v1", "Gadget", "web", "a", 1));
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a"));
	}

	@ParameterizedTest
	@CsvSource({ "widget", "Widget", "widgts", "wdigets", "widgetss" })
	void misspeltPluralIsNamed(String plural) {
		Informer<DynamicKubernetesObject> widgets = this.informers
			.informer(InformerSpec.dynamic("example.com", "v1", plural));
		this.informers.start();
		await().until(() -> widgets.state() == InformerState.NOT_FOUND);
		String advice = "'example.com/v1' has no resource '%s'; did you mean 'widgets'?".formatted(plural);
		assertThat(widgets.status().lastError().advice()).isEqualTo(advice);
		assertThat(widgets.status().lastError().message()).endsWith("(" + advice + ")");
	}

	@Test
	void namespacesOfWhatIsClusterScopedAreRefusedOnceThatIsKnown() throws InterruptedException {
		this.api.serve("example.com", "v1", "planets", "Planet", false);
		Informer<DynamicKubernetesObject> narrowed = this.informers
			.informer(InformerSpec.dynamic("example.com", "v1", "planets").withNamespaces("web"));
		Informer<DynamicKubernetesObject> planets = start(InformerSpec.dynamic("example.com", "v1", "planets"));
		await().until(() -> narrowed.state() == InformerState.NOT_FOUND);
		assertThat(narrowed.status().lastError().message()).contains(
				"'planets.example.com' are cluster-scoped; an informer on them cannot be narrowed to the namespace 'web'");
		created(atServer("example.com", "planets"), object("example.com/v1", "Planet", null, "earth", 1));
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+earth"));
		assertThat(planets.lister().get("earth").getMetadata().getNamespace()).isNull();
	}

	@Test
	void namespacesOfABuiltInClusterScopedResourceAreRefusedAtOnce() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> InformerSpec.dynamic("", "v1", "nodes").withNamespaces("web"))
			.withMessageContaining("'nodes' are cluster-scoped");
		assertThat(ResourceType.parse("nodes.v1.").kind()).isEqualTo(ResourceType.of(V1Node.class).kind());
	}

	@ParameterizedTest
	@CsvSource({ "403", "404", "500" })
	void serverWithoutDiscoveryServesTheResourceAllTheSame(int status) throws InterruptedException {
		this.api.faults().on((request) -> request.path().equals("/apis/example.com/v1")).status(status);
		create("a", 1);
		assertThat(start(widgets()).lister().get("web/a").getKind()).isEqualTo("Widget");
		assertThat(discoveries()).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "PAGED, 200", "PAGED, 403", "STREAMING, 200", "STREAMING, 403" })
	void kindThatIsAnotherOneAfterTheDefinitionWasReplacedIsFoundOut(ListMode mode, int status)
			throws InterruptedException {
		this.informers.close();
		this.informers = EngineTestSupport.informers(this.api.url(), (settings) -> settings.listMode(mode));
		Fault before = this.api.faults()
			.on((request) -> request.path().equals("/apis/example.com/v1"))
			.body(200, "application/json",
					"{\"kind\": \"APIResourceList\", \"resources\": [{\"name\": \"widgets\", \"kind\": \"Gizmo\"}]}");
		Informer<DynamicKubernetesObject> widgets = start(widgets());
		before.remove();
		if (status != 200) {
			this.api.faults().on((request) -> request.path().equals("/apis/example.com/v1")).status(status);
		}
		create("a", 1);
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a"));
		long lists = widgets.status().lists().total();
		create("b", 1);
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		assertThat(widgets.status().lists().total()).isEqualTo(lists);
		assertThat(widgets.lister().get("web/b").getKind()).isEqualTo("Widget");
	}

	@ParameterizedTest
	@CsvSource({ "/apis/example.com/v1, v1", "/apis/example.com, v2" })
	void discoveryThatNeverAnswersHoldsUpNothing(String document, String version) {
		this.api.faults().on((request) -> request.path().equals(document)).cut();
		create("a", 1);
		Informer<DynamicKubernetesObject> widgets = this.informers
			.informer(InformerSpec.dynamic("example.com", version, "widgets"));
		this.informers.start();
		await().until(() -> widgets.state() == (version.equals("v1") ? InformerState.LIVE : InformerState.NOT_FOUND));
	}

	@Test
	void stopDoesNotWaitForDiscovery() {
		this.api.faults().on((request) -> request.path().equals("/apis/example.com/v1")).freeze();
		this.informers.informer(widgets());
		this.informers.start();
		await().until(() -> !discoveries().isEmpty());
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
		await().until(() -> EngineTestSupport.engineThreads().isEmpty());
	}

	@Test
	void unreadableObjectCostsNoOther() throws InterruptedException {
		List.of("a", "bad")
			.forEach((name) -> this.api.resources(V1Pod.class).create(EngineTestSupport.pod("web", name)));
		String deep = "[".repeat(2_000) + "]".repeat(2_000);
		this.api.faults()
			.corrupt(V1Pod.class, "web", "bad",
					(json) -> json.replaceFirst("\"spec\":", "\"deep\":" + deep + ",\"spec\":"));
		Informer<DynamicKubernetesObject> pods = start(InformerSpec.dynamic("", "v1", "pods"));
		assertThat(pods.snapshot().keys()).containsExactly("web/a");
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		assertThat(pods.status().lastError().message()).contains("'web/bad'");
	}

	@Test
	void reconcilerSaysThatItNeedsAClass() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ReconcilerSpec.of("widgets", ResourceType.dynamic("example.com", "v1", "widgets"),
					(object, run) -> Result.done()))
			.withMessageContaining("'widgets.v1.example.com'")
			.withMessageContaining("@KubernetesResource");
	}

	@Test
	void ownedResourceNeedsAClassToo() {
		ReconcilerSpec<Widget> spec = ReconcilerSpec.of("widgets", Widget.class, (object, run) -> Result.done());
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> spec.withOwned(new OwnedResource<>(ResourceType.parse("gadgets.v1.gadgets.io"), null, true)))
			.withMessageContaining("'gadgets.v1.gadgets.io'")
			.withMessageContaining("@KubernetesResource");
	}

	private Informer<DynamicKubernetesObject> start(InformerSpec<DynamicKubernetesObject> spec)
			throws InterruptedException {
		Informer<DynamicKubernetesObject> informer = this.informers.informer(spec);
		HandlerRegistration registration = informer.addHandler(this.recorder, HandlerOptions.defaults());
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		return informer;
	}

	private static InformerSpec<DynamicKubernetesObject> widgets() {
		return InformerSpec.dynamic("example.com", "v1", "widgets");
	}

	private DynamicKubernetesApi widgetsAtServer() {
		return atServer("example.com", "widgets");
	}

	private DynamicKubernetesApi atServer(String group, String plural) {
		return new DynamicKubernetesApi(group, "v1", plural, EngineTestSupport.client(this.api.url()));
	}

	private DynamicKubernetesObject create(String name, int size) {
		return created(widgetsAtServer(), object("example.com/v1", "Widget", "web", name, size));
	}

	private static DynamicKubernetesObject created(DynamicKubernetesApi at, DynamicKubernetesObject object) {
		KubernetesApiResponse<DynamicKubernetesObject> answer = at.create(object);
		assertThat(answer.isSuccess()).as("%s", answer.getStatus()).isTrue();
		return answer.getObject();
	}

	private void size(String name, int size) {
		DynamicKubernetesObject stored = widgetsAtServer().get("web", name).getObject();
		stored.getRaw().getAsJsonObject("spec").addProperty("size", size);
		assertThat(widgetsAtServer().update(stored).isSuccess()).isTrue();
	}

	private void delete(String name) {
		assertThat(widgetsAtServer().delete("web", name).isSuccess()).isTrue();
	}

	private static int size(DynamicKubernetesObject widget) {
		return widget.getRaw().getAsJsonObject("spec").get("size").getAsInt();
	}

	private static DynamicKubernetesObject object(String apiVersion, String kind, String namespace, String name,
			int size) {
		DynamicKubernetesObject object = new DynamicKubernetesObject();
		object.setApiVersion(apiVersion);
		object.setKind(kind);
		object.setMetadata(new V1ObjectMeta().namespace(namespace).name(name));
		JsonObject spec = new JsonObject();
		spec.addProperty("size", size);
		object.getRaw().add("spec", spec);
		return object;
	}

	private List<RecordedRequest> discoveries() {
		return this.api.requests().stream().filter((request) -> request.path().equals("/apis/example.com/v1")).toList();
	}

}
