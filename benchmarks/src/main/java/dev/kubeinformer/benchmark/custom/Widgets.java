package dev.kubeinformer.benchmark.custom;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * Widgets as JSON, of about 3 KB in the API server's form. Twenty of them belong to each
 * application. The widget of a number is always the same.
 */
public final class Widgets {

	/** Path of the collection. */
	public static final String PATH = "/apis/bench.example.com/v1/widgets";

	private static final int OF_AN_APPLICATION = 20;

	private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

	private static final String DEFINITION = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "widgets.bench.example.com"},
			 "spec": {"group": "bench.example.com", "scope": "Namespaced",
			  "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
			   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			    "spec": {"type": "object", "properties": {
			     "application": {"type": "string"}, "version": {"type": "string"}, "replicas": {"type": "integer"},
			     "paused": {"type": "boolean"},
			     "components": {"type": "array", "items": {"type": "object", "properties": {
			      "name": {"type": "string"}, "image": {"type": "string"},
			      "args": {"type": "array", "items": {"type": "string"}},
			      "env": {"type": "array", "items": {"type": "object", "properties": {
			       "name": {"type": "string"}, "value": {"type": "string"}}}},
			      "ports": {"type": "array", "items": {"type": "object", "properties": {
			       "name": {"type": "string"}, "port": {"type": "integer"}, "protocol": {"type": "string"}}}},
			      "resources": {"type": "object", "properties": {
			       "requests": {"type": "object", "additionalProperties": {"type": "string"}},
			       "limits": {"type": "object", "additionalProperties": {"type": "string"}}}},
			      "probe": {"type": "object", "properties": {"path": {"type": "string"}, "port": {"type": "integer"},
			       "periodSeconds": {"type": "integer"}}}}}},
			     "settings": {"type": "object", "additionalProperties": {"type": "string"}},
			     "ingress": {"type": "object", "properties": {"host": {"type": "string"}, "path": {"type": "string"},
			      "tls": {"type": "object", "properties": {"secretName": {"type": "string"}, "issuer": {"type": "string"}}}}},
			     "storage": {"type": "object", "properties": {"className": {"type": "string"}, "size": {"type": "string"},
			      "bytes": {"type": "integer", "format": "int64"}}},
			     "nodeSelector": {"type": "object", "additionalProperties": {"type": "string"}}}},
			    "status": {"type": "object", "properties": {
			     "phase": {"type": "string"}, "observedGeneration": {"type": "integer", "format": "int64"},
			     "readyReplicas": {"type": "integer"}, "endpoint": {"type": "string"},
			     "conditions": {"type": "array", "items": {"type": "object", "properties": {
			      "type": {"type": "string"}, "status": {"type": "string"}, "reason": {"type": "string"},
			      "message": {"type": "string"}, "observedGeneration": {"type": "integer", "format": "int64"},
			      "lastTransitionTime": {"type": "string", "format": "date-time"}}}}}}}}}}]}}
			""";

	private static final String SPEC_FIELDS = """
			{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:owner.example.com/team":{}},"f:labels":{".":{},\
			"f:app.kubernetes.io/instance":{},"f:app.kubernetes.io/managed-by":{},"f:app.kubernetes.io/name":{},\
			"f:app.kubernetes.io/version":{},"f:team":{}}},"f:spec":{".":{},"f:application":{},"f:components":{},\
			"f:ingress":{".":{},"f:host":{},"f:path":{},"f:tls":{".":{},"f:issuer":{},"f:secretName":{}}},"f:nodeSelector":{},\
			"f:paused":{},"f:replicas":{},"f:settings":{".":{},"f:cache":{},"f:log-level":{},"f:region":{},"f:timeout":{},\
			"f:url":{}},"f:storage":{},"f:version":{}}}""";

	private static final String STATUS_FIELDS = """
			{"f:status":{".":{},"f:conditions":{},"f:endpoint":{},"f:observedGeneration":{},"f:phase":{},\
			"f:readyReplicas":{}}}""";

	private final int namespaces;

	private final boolean diverse;

	/**
	 * Creates widgets of a kind.
	 * @param namespaces the number of namespaces
	 * @param diverse whether each application has its own images, variables and settings;
	 * otherwise only the names differ
	 */
	public Widgets(int namespaces, boolean diverse) {
		this.namespaces = namespaces;
		this.diverse = diverse;
	}

	/**
	 * Returns the definition of the custom resource.
	 * @return the JSON
	 */
	public static String definition() {
		return DEFINITION;
	}

	/**
	 * Returns the namespace of a widget.
	 * @param index the number of the widget
	 * @return the namespace
	 */
	public String namespace(int index) {
		return "team-" + index % this.namespaces;
	}

	/**
	 * Returns the name of a widget.
	 * @param index the number of the widget
	 * @return the name
	 */
	public String name(int index) {
		return "checkout-%d-%05x".formatted(index / OF_AN_APPLICATION, index);
	}

	/**
	 * Returns the stored form of a widget, which has everything except the
	 * resourceVersion.
	 * @param index the number of the widget
	 * @return the JSON in one line
	 */
	public String json(int index) {
		int application = index / OF_AN_APPLICATION;
		Words words = new Words(this.diverse ? application : -1);
		String created = FIRST.plusSeconds(7L * index).toString();
		return """
				{"apiVersion":"bench.example.com/v1","kind":"Widget","metadata":{"annotations":{"checksum/config":"%s",\
				"owner.example.com/team":"%s"},"creationTimestamp":"%s","generation":2,"labels":{\
				"app.kubernetes.io/instance":"checkout-%d","app.kubernetes.io/managed-by":"deployer",\
				"app.kubernetes.io/name":"%s","app.kubernetes.io/version":"%s","team":"%s"},"managedFields":[%s,%s],\
				"name":"%s","namespace":"%s","uid":"%s"},"spec":%s,"status":%s}""".formatted(
				words.hash("c0ffee25") + words.hash("4729296a"), namespace(index), created, application,
				words.word("checkout"), words.number("1.42.", 40), namespace(index),
				managed("deployer", "", created, SPEC_FIELDS),
				managed("widget-operator", ",\"subresource\":\"status\"", created, STATUS_FIELDS), name(index),
				namespace(index), UUID.nameUUIDFromBytes(name(index).getBytes(StandardCharsets.UTF_8)),
				spec(index, words), status(index, created));
	}

	private static String managed(String manager, String more, String time, String fields) {
		return """
				{"apiVersion":"bench.example.com/v1","fieldsType":"FieldsV1","fieldsV1":%s,"manager":"%s",\
				"operation":"Update"%s,"time":"%s"}""".formatted(fields, manager, more, time);
	}

	private static String spec(int index, Words words) {
		int application = index / OF_AN_APPLICATION;
		String settings = """
				{"cache":"%s","log-level":"info","region":"eu-west-1","timeout":"%ss","url":"https://%s.internal.example.com/%s"}"""
			.formatted(words.hash("redis-01"), words.number("", 30), words.word("orders"), words.hash("api"));
		return """
				{"application":"checkout-%1$d","components":[%2$s,%3$s],"ingress":{"host":"widget-%4$d.example.com","path":"/",\
				"tls":{"issuer":"letsencrypt","secretName":"checkout-%1$d-tls"}},"nodeSelector":{"kubernetes.io/arch":"amd64",\
				"pool":"%5$s"},"paused":false,"replicas":%6$s,"settings":%7$s,"storage":{"bytes":107374182400,\
				"className":"fast","size":"100Gi"},"version":"%8$s"}"""
			.formatted(application, component("app", 8080, words), component("worker", 8081, words), index,
					words.word("general"), words.number("", 9), settings, words.number("1.42.", 40));
	}

	private static String component(String name, int port, Words words) {
		StringJoiner variables = new StringJoiner(",");
		variables.add(variable("JAVA_OPTS", "-XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError"));
		for (int i = 0; i < 3; i++) {
			variables.add(variable("SETTING_" + words.hash("000" + i), "https://" + words.hash("settings") + "/" + i));
		}
		return """
				{"args":["serve","--name=%1$s","--level=%2$s"],"env":[%3$s],"image":"registry.example.com/shop/%4$s:%5$s",\
				"name":"%1$s","ports":[{"name":"http","port":%6$d,"protocol":"TCP"}],"probe":{"path":"/health/liveness",\
				"periodSeconds":10,"port":%6$d},"resources":{"limits":{"memory":"512Mi"},"requests":{"cpu":"%7$s0m",\
				"memory":"512Mi"}}}"""
			.formatted(name, words.word("info"), variables, words.word(name), words.number("1.42.", 40), port,
					words.number("2", 50));
	}

	private static String variable(String name, String value) {
		return "{\"name\":\"%s\",\"value\":\"%s\"}".formatted(name, value);
	}

	private static String status(int index, String created) {
		StringJoiner conditions = new StringJoiner(",");
		for (String type : new String[] { "Ready", "Progressing", "Degraded" }) {
			conditions.add("""
					{"lastTransitionTime":"%s","message":"%s","observedGeneration":2,"reason":"%s","status":"%s",\
					"type":"%s"}""".formatted(created, "All replicas are available and reconciled", "AsExpected",
					type.equals("Ready") ? "True" : "False", type));
		}
		return """
				{"conditions":[%s],"endpoint":"10.2.%d.%d:8080","observedGeneration":2,"phase":"Running","readyReplicas":3}"""
			.formatted(conditions, index / 250 % 250, index % 250);
	}

	/** Differences between applications, if there are any. */
	private static final class Words {

		private final boolean diverse;

		private final Random random;

		Words(int seed) {
			this.diverse = seed >= 0;
			this.random = new Random(seed);
		}

		String hash(String uniform) {
			return this.diverse ? "%08x".formatted(this.random.nextInt()) : uniform;
		}

		String word(String uniform) {
			return this.diverse ? uniform + "-" + hash("") : uniform;
		}

		String number(String prefix, int bound) {
			return prefix + (this.diverse ? 1 + this.random.nextInt(bound) : 5);
		}

	}

}
