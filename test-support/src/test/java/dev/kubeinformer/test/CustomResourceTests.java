package dev.kubeinformer.test;

import java.util.List;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CustomResourceTests {

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String DEFINITION = DEFINITIONS + "/widgets.example.com";

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private static final String GADGETS = "/apis/example.com/v1/namespaces/default/gadgets";

	private static final String BETA = "/apis/example.com/v1beta1/namespaces/default/widgets";

	private static final String WIDGET = """
			{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"},"spec":{"size":3,"foo":"bar"},
			"status":{"x":1},"other":5}""";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.api.url());
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void definitionWhenCreatedShouldBeServedAtOnce() {
		assertThat(this.client.get(WIDGETS).statusCode()).isEqualTo(404);
		define();
		assertThat(this.client.json(WIDGETS).path("kind").asString()).isEqualTo("WidgetList");
		assertThat(this.client.get(BETA).statusCode()).isEqualTo(200);
		assertThat(this.client.get(WIDGETS.replace("v1", "v1alpha1")).statusCode()).isEqualTo(404);
		JsonNode definition = this.client.json(DEFINITION);
		assertThat(definition.path("status").path("conditions"))
			.extracting((condition) -> condition.path("type").asString() + "=" + condition.path("status").asString())
			.containsExactly("NamesAccepted=True", "Established=True");
		assertThat(definition.path("status").path("acceptedNames")).isEqualTo(definition.path("spec").path("names"));
		assertThat(definition.path("spec").path("names").path("listKind").asString()).isEqualTo("WidgetList");
		assertThat(definition.path("spec").path("names").path("singular").asString()).isEqualTo("widget");
		assertThat(definition.path("status").path("storedVersions").get(0).asString()).isEqualTo("v1");
		assertThat(definition.path("metadata").path("generation").asInt()).isEqualTo(1);
	}

	@Test
	void definitionWhenAnotherVersionIsStoredShouldKnowBoth() {
		define();
		ObjectNode definition = (ObjectNode) this.client.json(DEFINITION);
		((ObjectNode) definition.at("/spec/versions/0")).put("storage", false);
		((ObjectNode) definition.at("/spec/versions/1")).put("storage", true);
		definition.remove("status");
		assertThat(put(DEFINITION, definition).at("/status/storedVersions")).extracting((version) -> version.asString())
			.containsExactly("v1", "v1beta1");
		// The controller that has migrated the objects says so by the status.
		ObjectNode migrated = (ObjectNode) this.client.json(DEFINITION);
		migrated.withObjectProperty("status").putArray("storedVersions").add("v1beta1");
		put(DEFINITION + "/status", migrated);
		assertThat(this.client.json(DEFINITION).at("/status/storedVersions"))
			.extracting((version) -> version.asString())
			.containsExactly("v1beta1");
	}

	@Test
	void definitionWhenResetShouldStayAndItsObjectsBeDeleted() throws Exception {
		define();
		post(WIDGET);
		String uid = this.client.json(DEFINITION).at("/metadata/uid").asString();
		try (TestWatch watch = this.client.watch(WIDGETS + "?watch=1&resourceVersion=" + this.api.resourceVersion())
			.opened()) {
			String after = this.api.reset();
			assertThat(watch.events(1)).containsExactly("DELETED one@" + after);
			assertThat(this.api.openWatches()).isEqualTo(1);
		}
		assertThat(this.client.json(WIDGETS).path("items")).isEmpty();
		assertThat(this.client.json(DEFINITION).at("/metadata/uid").asString()).isEqualTo(uid);
		assertThat(post(WIDGET).at("/metadata/name").asString()).isEqualTo("one");
	}

	@Test
	void discoveryWhenDefinedShouldShowTheResource() {
		define();
		assertThat(this.client.json("/apis/example.com").path("versions"))
			.extracting((version) -> version.path("version").asString())
			.containsExactly("v1", "v1beta1");
		JsonNode resources = this.client.json("/apis/example.com/v1").path("resources");
		assertThat(resources).extracting((resource) -> resource.path("name").asString())
			.containsExactly("widgets", "widgets/status");
		assertThat(resources.get(0).path("shortNames").get(0).asString()).isEqualTo("wd");
		assertThat(resources.get(0).path("categories").get(0).asString()).isEqualTo("all");
		assertThat(this.client.json("/apis/example.com/v1beta1").path("resources")).hasSize(1);
	}

	@Test
	void objectWhenWrittenShouldKeepUnknownFieldsAndCountGenerations() {
		define();
		ObjectNode created = post(WIDGET);
		assertThat(created.path("other").asInt()).isEqualTo(5);
		assertThat(created.path("spec").path("foo").asString()).isEqualTo("bar");
		assertThat(created.has("status")).isFalse();
		assertThat(created.path("metadata").path("generation").asInt()).isEqualTo(1);
		ObjectNode changed = created.deepCopy();
		changed.withObject("spec").put("size", 4);
		changed.putObject("status").put("x", 1);
		ObjectNode updated = put(WIDGETS + "/one", changed);
		assertThat(updated.path("metadata").path("generation").asInt()).isEqualTo(2);
		assertThat(updated.has("status")).isFalse();
		ObjectNode status = merge(WIDGETS + "/one/status", "{\"status\":{\"x\":2},\"spec\":{\"size\":9}}");
		assertThat(status.path("spec").path("size").asInt()).isEqualTo(4);
		assertThat(status.path("status").path("x").asInt()).isEqualTo(2);
		assertThat(status.path("metadata").path("generation").asInt()).isEqualTo(2);
		ObjectNode other = this.client.json(BETA + "/one").deepCopy().asObject();
		assertThat(other.path("apiVersion").asString()).isEqualTo("example.com/v1beta1");
		assertThat(other.path("status").path("x").asInt()).isEqualTo(2);
	}

	@Test
	void objectWhenWrittenWronglyShouldBeRefusedInTheRealWords() {
		define();
		assertThat(post(WIDGET.replace("Widget", "Foo")).path("message").asString())
			.isEqualTo("Foo.example.com \"one\" is invalid: kind: Invalid value: \"Foo\": must be Widget");
		ObjectNode blind = post(WIDGET);
		blind.withObject("metadata").remove("resourceVersion");
		assertThat(put(WIDGETS + "/one", blind).path("message").asString())
			.isEqualTo("widgets.example.com \"one\" is invalid: metadata.resourceVersion: Invalid value: 0: must be "
					+ "specified for an update");
	}

	@Test
	void listWhenCustomShouldHaveItemsWithKinds() {
		define();
		post(WIDGET);
		JsonNode item = this.client.json(WIDGETS).path("items").get(0);
		assertThat(item.path("kind").asString()).isEqualTo("Widget");
		assertThat(item.path("apiVersion").asString()).isEqualTo("example.com/v1");
	}

	@Test
	void statusWhenNotDeclaredShouldBeAPlainField() {
		define();
		post(WIDGET);
		assertThat(this.client.get(BETA + "/one/status").statusCode()).isEqualTo(404);
		ObjectNode patched = merge(BETA + "/one", "{\"status\":{\"x\":7}}");
		assertThat(patched.path("status").path("x").asInt()).isEqualTo(7);
		assertThat(patched.path("metadata").path("generation").asInt()).isEqualTo(2);
	}

	@Test
	void tableWhenColumnsAreDefinedShouldHaveThem() {
		define();
		post(WIDGET);
		String accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
		JsonNode table = TestClient.json(this.client.get(WIDGETS, "Accept", accept));
		assertThat(table.path("columnDefinitions"))
			.extracting((column) -> column.path("name").asString() + "/" + column.path("priority").asInt())
			.containsExactly("Name/0", "Size/0", "Since/1");
		assertThat(table.path("rows").get(0).path("cells").get(1).asInt()).isEqualTo(3);
		assertThat(table.path("rows").get(0).path("cells").get(2).asString()).matches("\\d+s");
		JsonNode other = TestClient.json(this.client.get(BETA, "Accept", accept));
		assertThat(other.path("columnDefinitions")).extracting((column) -> column.path("name").asString())
			.containsExactly("Name", "Age");
	}

	@Test
	void definitionWhenDeletedShouldDeleteItsObjectsAndEndWatches() throws Exception {
		define();
		String revision = post(WIDGET).path("metadata").path("resourceVersion").asString();
		TestWatch watch = this.client.watch(WIDGETS + "?watch=true&resourceVersion=" + revision).opened();
		assertThat(this.client.send("DELETE", DEFINITION, "").statusCode()).isEqualTo(200);
		assertThat(watch.event().path("type").asString()).isEqualTo("DELETED");
		assertThat(watch.awaitEnd()).isNull();
		assertThat(this.client.get(WIDGETS).statusCode()).isEqualTo(404);
		assertThat(this.client.json("/apis").toString()).doesNotContain("example.com");
		define();
		assertThat(TestClient.names(this.client.json(WIDGETS))).isEmpty();
	}

	@Test
	void definitionWhenUpdatedShouldServeOtherVersionsAndNames() throws Exception {
		define();
		post(WIDGET);
		TestWatch watch = this.client.watch(BETA + "?watch=true").opened();
		ObjectNode definition = this.client.json(DEFINITION).deepCopy().asObject();
		((ObjectNode) definition.path("spec").path("versions").get(1)).put("served", false);
		((ObjectNode) definition.path("spec").path("versions").get(2)).put("served", true);
		definition.withObject("spec").withObject("names").putArray("shortNames").add("wg");
		put(DEFINITION, definition);
		watch.awaitEnd();
		assertThat(this.client.get(BETA).statusCode()).isEqualTo(404);
		assertThat(TestClient.names(this.client.json(BETA.replace("beta1", "alpha1")))).containsExactly("one");
		assertThat(
				this.client.json("/apis/example.com/v1").path("resources").get(0).path("shortNames").get(0).asString())
			.isEqualTo("wg");
		assertThat(
				this.client.json(DEFINITION).path("status").path("acceptedNames").path("shortNames").get(0).asString())
			.isEqualTo("wg");
	}

	@Test
	void definitionWhenSentAgainShouldChangeNothing() throws Exception {
		define();
		ObjectNode definition = this.client.json(DEFINITION).deepCopy().asObject();
		definition.remove("status");
		definition.withObject("spec").remove("conversion");
		definition.withObject("spec").withObject("names").remove("listKind");
		this.api.serve("example.com", "v1", "gadgets", "Gadget", true);
		String before = this.api.resourceVersion();
		try (TestWatch watch = this.client.watch(WIDGETS + "?watch=true&resourceVersion=" + before).opened();
				TestWatch gadgets = this.client.watch(GADGETS + "?watch=true&resourceVersion=" + before).opened()) {
			put(DEFINITION, definition);
			this.api.serve("example.com", "v1", "gadgets", "Gadget", true);
			assertThat(this.api.resourceVersion()).isEqualTo(before);
			post(WIDGET);
			assertThat(watch.events(1).get(0)).startsWith("ADDED one");
			assertThat(this.client.send("POST", GADGETS, "{\"metadata\":{\"name\":\"g\"}}").statusCode())
				.isEqualTo(201);
			assertThat(gadgets.events(1).get(0)).startsWith("ADDED g");
		}
	}

	@Test
	void writerWhenDefinitionIsDeletedShouldBeRefused() {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		ApiResources<V1CustomResourceDefinition> widgets = this.api.resources(V1CustomResourceDefinition.class,
				"example.com", "v1", "widgets");
		this.api.resources(V1CustomResourceDefinition.class).delete("widgets.example.com");
		V1CustomResourceDefinition widget = new V1CustomResourceDefinition().metadata(new V1ObjectMeta().name("late"));
		assertThatIllegalStateException().isThrownBy(() -> widgets.create(widget))
			.withMessageContaining("\"widgets\" of \"example.com/v1\" is not served");
		assertThat(widgets.list()).isEmpty();
	}

	@Test
	void serveWhenCalledShouldMakeResourceUsableInCode() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.api.resources(DynamicKubernetesObject.class, "example.com", "v1", "widgets"))
			.withMessageContaining("widgets");
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		assertThat(this.api.resources(V1CustomResourceDefinition.class).list()).hasSize(1);
		post(WIDGET);
		ApiResources<V1CustomResourceDefinition> widgets = this.api.resources(V1CustomResourceDefinition.class,
				"example.com", "v1", "widgets");
		assertThat(widgets.list()).extracting((widget) -> widget.getMetadata().getName()).isEqualTo(List.of("one"));
	}

	@Test
	void objectWhenDefinitionChangesShouldBeReadWithTheNewSchema() {
		String schema = "\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{"
				+ "\"size\":{\"type\":\"integer\"},\"foo\":{\"type\":\"string\"}%s}}}}";
		String definition = """
				{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
				"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
				"names":{"plural":"widgets","kind":"Widget"},"versions":[
				{"name":"v1","served":true,"storage":true,"schema":{%s}}]}}""";
		this.client.send("POST", DEFINITIONS, definition.formatted(schema.formatted("")));
		post(WIDGET);
		ObjectNode stored = (ObjectNode) this.client.json(DEFINITION);
		ObjectNode next = Json
			.readObject(definition.formatted(schema.formatted(",\"color\":{\"type\":\"string\",\"default\":\"red\"}")
				.replace("\"foo\":{\"type\":\"string\"},", "")));
		next.withObject("metadata").set("resourceVersion", stored.at("/metadata/resourceVersion"));
		put(DEFINITION, next);
		JsonNode spec = this.client.json(WIDGETS + "/one").path("spec");
		assertThat(spec.path("color").asString()).isEqualTo("red");
		assertThat(spec.has("foo")).isFalse();
		assertThat(this.client.json(WIDGETS).at("/items/0/spec/color").asString()).isEqualTo("red");
		assertThat(merge(WIDGETS + "/one", "{\"spec\":{\"size\":4}}").at("/spec/color").asString()).isEqualTo("red");
	}

	private void define() {
		String definition = """
				{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
				"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
				"names":{"plural":"widgets","kind":"Widget","shortNames":["wd"],"categories":["all"]},"versions":[
				{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"additionalPrinterColumns":[
				{"name":"Size","type":"integer","jsonPath":".spec.size"},
				{"name":"Since","type":"date","jsonPath":".metadata.creationTimestamp","priority":1}],
				"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
				{"name":"v1beta1","served":true,"storage":false,
				"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
				{"name":"v1alpha1","served":false,"storage":false,
				"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""";
		assertThat(this.client.send("POST", DEFINITIONS, definition).statusCode()).isEqualTo(201);
	}

	private ObjectNode post(String widget) {
		return TestClient.json(this.client.send("POST", WIDGETS, widget));
	}

	private ObjectNode put(String path, ObjectNode object) {
		return TestClient.json(this.client.send("PUT", path, object.toString()));
	}

	private ObjectNode merge(String path, String patch) {
		return TestClient.json(this.client.send("PATCH", path, patch, "Content-Type", "application/merge-patch+json"));
	}

}
