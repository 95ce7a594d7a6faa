package dev.kubeinformer.test;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Server-side apply of custom resources with a schema, and of what the server writes in
 * another notation.
 */
abstract class ApplyConformance extends Conformance {

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String BLOB = "/apis/NS.example.com/v1/namespaces/NS/blobs/b";

	private static final String QUOTA = NAMESPACE + "/resourcequotas/q";

	ApplyConformance(ApiTarget target) {
		super(target);
	}

	@BeforeEach
	void createDefinition() {
		post(DEFINITIONS, """
				{kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1',
				metadata: {name: 'blobs.NS.example.com'},
				spec: {group: 'NS.example.com', scope: 'Namespaced', names: {plural: 'blobs', kind: 'Blob'},
				versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object',
				properties: {spec: {type: 'object', properties: {size: {type: 'integer', default: 3},
				text: {type: 'string', default: 'd', nullable: true},
				items: {type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id', 'kind'],
				items: {type: 'object', required: ['id'], properties: {id: {type: 'string'},
				kind: {type: 'string', default: 'x'}, value: {type: 'string', default: 'v'}}}},
				tags: {type: 'array', 'x-kubernetes-list-type': 'set', items: {type: 'string'}},
				plain: {type: 'array', items: {type: 'object', properties: {a: {type: 'string'},
				b: {type: 'integer', default: 4}}}},
				frozen: {type: 'object', 'x-kubernetes-map-type': 'atomic', properties: {a: {type: 'string'},
				b: {type: 'integer'}}},
				nested: {type: 'object', default: {}, properties: {b: {type: 'integer', default: 4}}}}}}}}}]}}""")
			.hasCode(201);
		afterwards(() -> delete(DEFINITIONS + "/blobs.NS.example.com"));
		await().atMost(Duration.ofSeconds(30))
			.until(() -> get("/apis/NS.example.com/v1/namespaces/NS/blobs").code() == 200);
	}

	@Test
	void quantitiesShouldBeStoredInTheirCanonicalForm() {
		String[][] notations = { { "1000m", "1" }, { "0.5", "500m" }, { "1.0", "1" }, { "1024Mi", "1Gi" },
				{ "1073741824", "1073741824" }, { "1000", "1k" }, { "131072Ki", "128Mi" }, { "0m", "0" },
				{ "1e3", "1e3" }, { "1500m", "1500m" }, { "1.5Gi", "1536Mi" }, { "2048", "2048" }, { "0.5Gi", "512Mi" },
				{ "1E3", "1E3" }, { "12e-1", "1200e-3" }, { "100000k", "100M" } };
		for (String[] notation : notations) {
			Answer applied = quota("one", notation[0]);
			assertThat(applied.body().path("spec").path("hard").path("limits.cpu").asString()).as(notation[0])
				.isEqualTo(notation[1]);
			assertThat(quota("one", notation[0]).resourceVersion()).isEqualTo(applied.resourceVersion());
			assertThat(quota("one", notation[1]).resourceVersion()).isEqualTo(applied.resourceVersion());
		}
	}

	private Answer quota(String manager, String quantity) {
		return apply(QUOTA, manager,
				"{apiVersion: 'v1', kind: 'ResourceQuota', metadata: {name: 'q'}, spec: {hard: {'limits.cpu': '"
						+ quantity + "'}}}");
	}

	@Test
	void defaultsOfACustomResourceShouldBelongToNobody() {
		Answer applied = blob("one", "{size: 5, plain: [{a: 'a'}]}");
		assertThat((Object) spec(applied))
			.isEqualTo(Answer.parse("{size: 5, text: 'd', plain: [{a: 'a', b: 4}], nested: {b: 4}}"));
		assertThat(fields(applied, "one")).containsExactly("/f:spec/f:plain", "/f:spec/f:size");
		assertThat(blob("one", "{size: 5, plain: [{a: 'a'}]}").resourceVersion()).isEqualTo(applied.resourceVersion());
		assertThat((Object) spec(blob("one", "{}"))).isEqualTo(Answer.parse("{size: 3, text: 'd', nested: {b: 4}}"));
	}

	@Test
	void listOfACustomResourceShouldBeMergedByItsKeys() {
		blob("one", "{items: [{id: 'a', value: '1'}, {id: 'b', kind: 'y', value: '2'}]}");
		Answer two = blob("two", "{items: [{id: 'b', kind: 'y'}, {id: 'c', value: '3'}]}");
		assertThat((Object) spec(two).path("items")).isEqualTo(Answer.parse(
				"{i: [{id: 'a', kind: 'x', value: '1'}, {id: 'b', kind: 'y', value: '2'}, {id: 'c', kind: 'x', value: '3'}]}")
			.path("i"));
		assertThat(fields(two, "two")).containsExactly("/f:spec/f:items/k:{\"id\":\"b\",\"kind\":\"y\"}",
				"/f:spec/f:items/k:{\"id\":\"b\",\"kind\":\"y\"}/f:id",
				"/f:spec/f:items/k:{\"id\":\"b\",\"kind\":\"y\"}/f:kind",
				"/f:spec/f:items/k:{\"id\":\"c\",\"kind\":\"x\"}",
				"/f:spec/f:items/k:{\"id\":\"c\",\"kind\":\"x\"}/f:id",
				"/f:spec/f:items/k:{\"id\":\"c\",\"kind\":\"x\"}/f:value");
		Answer one = blob("one", "{items: [{id: 'a'}]}");
		assertThat((Object) spec(one).path("items")).isEqualTo(Answer.parse(
				"{i: [{id: 'a', kind: 'x', value: 'v'}, {id: 'b', kind: 'y', value: 'v'}, {id: 'c', kind: 'x', value: '3'}]}")
			.path("i"));
	}

	@Test
	void setOfACustomResourceShouldBeMerged() {
		blob("one", "{tags: ['a', 'b']}");
		Answer two = blob("two", "{tags: ['b', 'c']}");
		assertThat(spec(two).path("tags").valueStream().map(JsonNode::asString)).containsExactly("a", "b", "c");
		Answer one = blob("one", "{tags: ['a']}");
		assertThat(spec(one).path("tags").valueStream().map(JsonNode::asString)).containsExactly("a", "b", "c");
		assertThat(spec(blob("two", "{tags: ['c']}")).path("tags").valueStream().map(JsonNode::asString))
			.containsExactly("a", "c");
	}

	@Test
	void orderOfAMergedListShouldBeThatOfTheLastApply() {
		blob("one", "{tags: ['a', 'b', 'c']}");
		assertThat(spec(blob("two", "{tags: ['d', 'b']}")).path("tags").valueStream().map(JsonNode::asString))
			.containsExactly("a", "d", "b", "c");
		assertThat(spec(blob("one", "{tags: ['c', 'a', 'b']}")).path("tags").valueStream().map(JsonNode::asString))
			.containsExactly("d", "c", "a", "b");
	}

	@Test
	void atomicMapOfACustomResourceShouldBeReplaced() {
		blob("one", "{frozen: {a: 'a'}}");
		mergePatch(BLOB, "{spec: {frozen: {b: 1}}}").hasCode(200);
		Answer applied = blob("one", "{frozen: {a: 'a'}}");
		assertThat((Object) spec(applied).path("frozen")).isEqualTo(Answer.parse("{a: 'a'}"));
	}

	private Answer blob(String manager, String spec) {
		return apply(BLOB, manager,
				"{apiVersion: 'NS.example.com/v1', kind: 'Blob', metadata: {name: 'b'}, spec: " + spec + "}");
	}

	private Answer apply(String path, String manager, String body) {
		Answer answer = patch("application/apply-patch+yaml", path + "?force=true&fieldManager=" + manager, body);
		assertThat(answer.code()).as(answer.text()).isBetween(200, 201);
		return answer;
	}

	private static ObjectNode spec(Answer answer) {
		return (ObjectNode) answer.body().path("spec");
	}

	private static Set<String> fields(Answer answer, String manager) {
		Set<String> paths = new TreeSet<>();
		Json.readObject(answer.text()).path("metadata").path("managedFields").forEach((entry) -> {
			if (manager.equals(entry.path("manager").asString())) {
				addPaths("", entry.path("fieldsV1"), paths);
			}
		});
		return paths;
	}

	private static void addPaths(String prefix, JsonNode fields, Set<String> paths) {
		fields.properties().forEach((property) -> {
			String path = prefix + "/" + property.getKey();
			if (".".equals(property.getKey())) {
				paths.add(prefix);
			}
			else if (property.getValue().isEmpty()) {
				paths.add(path);
			}
			addPaths(path, property.getValue(), paths);
		});
	}

}
