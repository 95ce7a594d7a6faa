package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.StreamSupport;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

class RepresentationTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;"
			+ "g=meta.k8s.io,application/json";

	private static final String METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

	private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

	private static final String INITIAL = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
			+ "&allowWatchBookmarks=true&timeoutSeconds=1";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.api.url());
		this.api.resources(V1ConfigMap.class).create(TestObjects.labelled("a", "x", "1"));
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("b", "1").data(null));
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void listWhenTableShouldHaveRowsOfMetadata() {
		JsonNode table = get(TABLE, CONFIG_MAPS);
		assertThat(table.path("kind").asString()).isEqualTo("Table");
		assertThat(table.path("apiVersion").asString()).isEqualTo("meta.k8s.io/v1");
		assertThat(table.path("metadata").path("resourceVersion").asString()).isEqualTo("3");
		assertThat(columns(table)).containsExactly("Name", "Age");
		assertThat(table.path("columnDefinitions").get(0).path("format").asString()).isEqualTo("name");
		assertThat(cells(table, 0)).startsWith("a");
		assertThat(cells(table, 1)).startsWith("b");
		JsonNode object = table.path("rows").get(0).path("object");
		assertThat(object.path("kind").asString()).isEqualTo("PartialObjectMetadata");
		assertThat(object.path("metadata").path("labels").path("app").asString()).isEqualTo("x");
		assertThat(object.has("data")).isFalse();
		JsonNode old = get("application/json;as=Table;v=v1beta1;g=meta.k8s.io", CONFIG_MAPS + "?limit=1");
		assertThat(old.path("apiVersion").asString()).isEqualTo("meta.k8s.io/v1beta1");
		assertThat(old.path("metadata").path("remainingItemCount").asInt()).isEqualTo(1);
		assertThat(old.path("rows").get(0).path("object").path("apiVersion").asString())
			.isEqualTo("meta.k8s.io/v1beta1");
	}

	@Test
	void tableWhenObjectsAreAskedForOrNotShouldIncludeThem() {
		JsonNode whole = get(TABLE, CONFIG_MAPS + "/a?includeObject=Object").path("rows").get(0).path("object");
		assertThat(whole.path("kind").asString()).isEqualTo("ConfigMap");
		assertThat(whole.path("data").path("value").asString()).isEqualTo("1");
		assertThat(get(TABLE, CONFIG_MAPS + "?includeObject=None").path("rows").get(0).path("object").isNull())
			.isTrue();
		assertThat(get(TABLE, CONFIG_MAPS + "?includeObject=x").path("message").asString())
			.isEqualTo("Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be "
					+ "'Metadata', 'Object', 'None', or empty");
	}

	@Test
	void watchWhenTableShouldTellTheColumnsOnce() {
		List<JsonNode> events = lines(TABLE, CONFIG_MAPS + INITIAL);
		assertThat(events).extracting((event) -> event.path("type").asString())
			.startsWith("ADDED", "ADDED", "BOOKMARK");
		assertThat(columns(events.get(0).path("object"))).containsExactly("Name", "Age");
		assertThat(events.get(1).path("object").path("columnDefinitions").isNull()).isTrue();
		JsonNode bookmark = events.get(2).path("object");
		assertThat(cells(bookmark, 0)).containsExactly("", "<unknown>");
		JsonNode metadata = bookmark.path("rows").get(0).path("object").path("metadata");
		assertThat(metadata.path("annotations").path("k8s.io/initial-events-end").asString()).isEqualTo("true");
	}

	@Test
	void metadataWhenAskedForShouldBeAllThatIsSent() {
		JsonNode object = get(METADATA, CONFIG_MAPS + "/a");
		assertThat(object.propertyNames()).containsExactly("kind", "apiVersion", "metadata");
		assertThat(object.path("kind").asString()).isEqualTo("PartialObjectMetadata");
		JsonNode list = get(METADATA_LIST, CONFIG_MAPS);
		assertThat(list.path("kind").asString()).isEqualTo("PartialObjectMetadataList");
		assertThat(list.path("apiVersion").asString()).isEqualTo("meta.k8s.io/v1");
		assertThat(TestClient.names(list)).containsExactly("a", "b");
		assertThat(list.path("items").get(0)).isEqualTo(object);
		List<JsonNode> events = lines(METADATA, CONFIG_MAPS + INITIAL);
		assertThat(events.get(0).path("object")).isEqualTo(object);
		assertThat(events.get(2).path("type").asString()).isEqualTo("BOOKMARK");
		assertThat(events.get(2).path("object").path("kind").asString()).isEqualTo("PartialObjectMetadata");
	}

	@Test
	void metadataWhenOfTheWrongFormShouldNotBeAcceptable() {
		JsonNode ofList = get(METADATA, CONFIG_MAPS);
		assertThat(ofList.path("code").asInt()).isEqualTo(406);
		assertThat(ofList.path("message").asString())
			.isEqualTo("you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)");
		assertThat(get(METADATA_LIST, CONFIG_MAPS + "/a").path("message").asString()).isEqualTo(
				"you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)");
	}

	@Test
	void watchWhenListOfMetadataIsWantedShouldTellNothing() {
		HttpResponse<String> watch = this.client.get(CONFIG_MAPS + INITIAL, "Accept", METADATA_LIST);
		assertThat(watch.statusCode()).isEqualTo(200);
		assertThat(watch.body()).isEmpty();
	}

	@Test
	void createWhenMetadataIsWantedShouldAnswerMetadata() {
		HttpResponse<String> created = this.client.send("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"c\"}}",
				"Accept", METADATA, "Content-Type", "application/json");
		assertThat(TestClient.json(created).path("kind").asString()).isEqualTo("PartialObjectMetadata");
	}

	@Test
	void managedFieldsWhenDroppedShouldNotBeSent() {
		this.client.send("POST", CONFIG_MAPS, """
				{"metadata":{"name":"m","managedFields":[{"manager":"test","operation":"Update","apiVersion":"v1",
				"fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]},"data":{"k":"v"}}""");
		JsonNode full = get("application/json", CONFIG_MAPS + "/m");
		assertThat(full.path("metadata").has("managedFields")).isTrue();
		JsonNode dropped = get("application/json;drop=metadata.managedFields", CONFIG_MAPS + "/m");
		assertThat(dropped.path("metadata").has("managedFields")).isFalse();
		assertThat(dropped.path("data")).isEqualTo(full.path("data"));
		assertThat(get(METADATA + ";drop=metadata.managedFields", CONFIG_MAPS + "/m").path("metadata")
			.has("managedFields")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json;as=Foo;v=v1;g=meta.k8s.io",
			"application/json;as=Table;v=v2;g=meta.k8s.io", "application/json;as=Table;g=meta.k8s.io" })
	void acceptWhenFormIsUnknownShouldNotBeAcceptable(String accept) {
		JsonNode status = get(accept, CONFIG_MAPS);
		assertThat(status.path("code").asInt()).isEqualTo(406);
		assertThat(status.path("message").asString()).startsWith("only the following media types are accepted: ");
		assertThat(get(accept + ",application/json", CONFIG_MAPS).path("kind").asString()).isEqualTo("ConfigMapList");
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/cbor", "text/html", "application/vnd.kubernetes.protobuf" })
	void acceptWhenTypeIsNotServedShouldNotBeAcceptable(String accept) {
		JsonNode status = get(accept, CONFIG_MAPS);
		assertThat(status.path("code").asInt()).isEqualTo(406);
		assertThat(status.path("message").asString())
			.isEqualTo("406: Not Acceptable\n\nAvailable representations: application/json");
		assertThat(get(accept + ", application/json;q=0.5", CONFIG_MAPS).path("kind").asString())
			.isEqualTo("ConfigMapList");
	}

	@Test
	void metadataWhenNotKnownShouldBeServedWholeOrNotAtAll() {
		try (EmbeddedKubernetes old = EmbeddedKubernetes.builder().metadataOnly(false).start()) {
			TestClient oldClient = new TestClient(old.url());
			assertThat(TestClient.json(oldClient.get(CONFIG_MAPS, "Accept", METADATA_LIST + ",application/json"))
				.path("kind")
				.asString()).isEqualTo("ConfigMapList");
			assertThat(oldClient.get(CONFIG_MAPS, "Accept", METADATA_LIST).statusCode()).isEqualTo(406);
		}
	}

	private JsonNode get(String accept, String path) {
		return TestClient.json(this.client.get(path, "Accept", accept));
	}

	private List<JsonNode> lines(String accept, String path) {
		return this.client.get(path, "Accept", accept)
			.body()
			.lines()
			.map((line) -> (JsonNode) Json.readObject(line))
			.toList();
	}

	private static List<String> columns(JsonNode table) {
		return StreamSupport.stream(table.path("columnDefinitions").spliterator(), false)
			.map((column) -> column.path("name").asString())
			.toList();
	}

	private static List<String> cells(JsonNode table, int row) {
		return StreamSupport.stream(table.path("rows").get(row).path("cells").spliterator(), false)
			.map(JsonNode::asString)
			.toList();
	}

}
