package dev.kubeinformer.test;

import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Answers of an API to objects that their schema rejects, changes or prunes. */
abstract class SchemaConformance extends Conformance {

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String BOXES = "/apis/NS.example.com/v1/namespaces/NS/boxes";

	private static final String BOX = "kind: 'Box', apiVersion: 'NS.example.com/v1', metadata: {name: 'a'}";

	private static final String MERGE_PATCH = "application/merge-patch+json";

	private static final String APPLY = "application/apply-patch+yaml";

	SchemaConformance(ApiTarget target) {
		super(target);
	}

	@BeforeEach
	void createDefinition() {
		post(DEFINITIONS,
				definition(
						"""
								{type: 'object', required: ['spec'], properties: {
								spec: {type: 'object', required: ['size'], properties: {
								size: {type: 'integer', minimum: 1, maximum: 10}, color: {type: 'string', enum: ['red', 'blue'], default: 'red'},
								name: {type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$'}, replicas: {type: 'integer'},
								when: {type: 'string', format: 'date-time'}, either: {'x-kubernetes-int-or-string': true},
								ports: {type: 'array', maxItems: 3, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port'],
								items: {type: 'object', required: ['port'], properties: {port: {type: 'integer'}}}},
								tags: {type: 'array', 'x-kubernetes-list-type': 'set', items: {type: 'string'}},
								one: {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}},
								oneOf: [{required: ['a']}, {required: ['b']}]},
								open: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}, bare: {type: 'object'},
								each: {type: 'object', additionalProperties: {type: 'object', properties: {a: {type: 'string'}}}},
								pod: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true}}},
								status: {type: 'object', properties: {phase: {type: 'string', enum: ['Old', 'New']},
								replicas: {type: 'integer'}}}}}"""))
			.hasCode(201);
		afterwards(() -> delete(DEFINITIONS + "/boxes.NS.example.com"));
		await().atMost(Duration.ofSeconds(30)).until(() -> get(BOXES).code() == 200);
	}

	private static String definition(String schema) {
		return """
				{kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1',
				metadata: {name: 'boxes.NS.example.com'},
				spec: {group: 'NS.example.com', scope: 'Namespaced', names: {plural: 'boxes', kind: 'Box'},
				versions: [{name: 'v1', served: true, storage: true, subresources: {status: {},
				scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'}},
				schema: {openAPIV3Schema: %s}}]}}""".formatted(schema);
	}

	private Answer box(String spec) {
		return post(BOXES, "{" + BOX + ", spec: " + spec + "}");
	}

	private void isRefused(String spec, String field, String reason, String message) {
		box(spec).isFailure(422, "Invalid", "Box.NS.example.com \"a\" is invalid: " + field + ": " + message,
				"""
						{name: 'a', group: 'NS.example.com', kind: 'Box', causes: [{reason: '%s', message: '%s', field: '%s'}]}"""
					.formatted(reason, message.replace("\"", "\\\"").replace("'", "\\'"), field));
	}

	@Test
	void objectThatIsNotValidShouldBeRefusedInTheWordsOfTheServer() {
		isRefused("{size: 11}", "spec.size", "FieldValueInvalid",
				"Invalid value: 11: spec.size in body should be less than or equal to 10");
		isRefused("{size: 'x'}", "spec.size", "FieldValueTypeInvalid",
				"Invalid value: \"string\": spec.size in body must be of type integer: \"string\"");
		isRefused("{}", "spec.size", "FieldValueRequired", "Required value");
		isRefused("{size: 1, color: 'green'}", "spec.color", "FieldValueNotSupported",
				"Unsupported value: \"green\": supported values: \"red\", \"blue\"");
		isRefused("{size: 1, name: 'a'}", "spec.name", "FieldValueInvalid",
				"Invalid value: \"a\": spec.name in body should be at least 2 chars long");
		isRefused("{size: 1, name: 'abcde'}", "spec.name", "FieldValueTooLong",
				"Too long: may not be " + since(32, "more than 4 bytes", "longer than 4"));
		isRefused("{size: 1, when: 'now'}", "spec.when", "FieldValueTypeInvalid",
				"Invalid value: \"now\": spec.when in body must be of type date-time: \"now\"");
		isRefused("{size: 1, either: true}", "spec.either", "FieldValueTypeInvalid",
				"Invalid value: \"boolean\": spec.either in body must be of type integer,string: \"boolean\"");
		isRefused("{size: 1, tags: ['a', 'b', 'a']}", "spec.tags[2]", "FieldValueDuplicate", "Duplicate value: \"a\"");
		isRefused("{size: 1, ports: [{port: 1}, {port: 2}, {port: 3}, {port: 4}]}", "spec.ports", "FieldValueTooMany",
				"Too many: 4: must have at most 3 items");
		isRefused("{size: 1, replicas: -1}", ".spec.replicas", "FieldValueInvalid",
				"Invalid value: -1: should be a non-negative integer");
	}

	@Test
	void objectWithSeveralFaultsShouldBeRefusedForAll() {
		Answer answer = box("{size: 0, name: '1', ports: [{port: 1}, {port: 1}]}").hasCode(422);
		assertThat(answer.body().path("details").path("causes")).extracting((cause) -> cause.path("field").asString())
			.containsExactlyInAnyOrder("spec.size", "spec.name", "spec.ports[1]");
	}

	@Test
	void alternativesShouldBeExplained() {
		Answer answer = box("{size: 1, one: {a: 'x', b: 'y'}}").hasCode(422);
		assertThat(answer.body().path("message").asString())
			.isEqualTo("Box.NS.example.com \"a\" is invalid: <nil>: Invalid "
					+ "value: \"\": \"spec.one\" must validate one and only one schema (oneOf). Found 2 valid alternatives");
	}

	@Test
	void unknownFieldShouldBePrunedWithAWarningOrRefused() {
		Answer created = box("{size: 1, colour: 'red', open: {any: 1}}").hasCode(201);
		assertThat(created.body().path("spec").has("colour")).isFalse();
		assertThat(created.body().path("spec").path("open").path("any").asInt()).isEqualTo(1);
		assertThat(created.warnings()).containsExactly("299 - \"unknown field \\\"spec.colour\\\"\"");
		post(BOXES + "?fieldValidation=Strict", "{" + BOX + ", spec: {size: 1, colour: 'red'}}").isRejected(400,
				"BadRequest", "Box in version \"v1\" cannot be handled as a Box: strict decoding error: unknown field "
						+ "\"spec.colour\"");
		assertThat(patch(MERGE_PATCH, BOXES + "/a?fieldValidation=Ignore", "{spec: {colour: 'x'}}").hasCode(200)
			.warnings()).isEmpty();
	}

	@Test
	void defaultShouldBeSet() {
		assertThat(box("{size: 1, color: null}").hasCode(201).body().path("spec").path("color").asString())
			.isEqualTo("red");
	}

	@Test
	void statusShouldBeValidatedOnItsOwn() {
		box("{size: 1}").hasCode(201);
		patch(MERGE_PATCH, BOXES + "/a/status", "{status: {phase: 'Lost'}}").isRejected(422, "Invalid",
				"Box.NS.example.com \"a\" is invalid: status.phase: Unsupported value: \"Lost\": supported values: "
						+ "\"Old\", \"New\"");
		patch(MERGE_PATCH, BOXES + "/a/status", "{status: {phase: 'New'}, spec: {size: 99}}").hasCode(200);
	}

	@Test
	void scaleShouldFollowItsPaths() {
		box("{size: 1, replicas: 2}").hasCode(201);
		assertThat(get(BOXES + "/a/scale").hasCode(200).body().path("spec").path("replicas").asInt()).isEqualTo(2);
		patch(MERGE_PATCH, BOXES + "/a/scale", "{spec: {replicas: 5}}").hasCode(200);
		assertThat(get(BOXES + "/a").body().path("spec").path("replicas").asInt()).isEqualTo(5);
		patch(MERGE_PATCH, BOXES + "/a/scale", "{spec: {replicas: -1}}").isRejected(422, "Invalid",
				"Box.NS.example.com \"a\" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer");
	}

	@Test
	void applyOfAnUnknownFieldShouldBeRefused() {
		patch(APPLY, BOXES + "/a?fieldManager=me", "{" + BOX + ", spec: {size: 1, colour: 'red'}}").isRejected(500, "",
				"failed to create typed patch object (/a; NS.example.com/v1, Kind=Box): .spec.colour: field not declared "
						+ "in schema");
	}

	@Test
	void applyOfAnotherTypeShouldBeRefusedInTheWordsOfTheServer() {
		cannotBeApplied("{size: {a: [1, 'x']}}",
				".spec.size: expected numeric (int or float), got map[string]interface {}");
		cannotBeApplied("{name: {a: [1, 'x']}}", ".spec.name: expected string, got &value.valueUnstructured{Value:"
				+ "map[string]interface {}{\"a\":[]interface {}{1, \"x\"}}}");
		cannotBeApplied("{when: {a: [1, 'x', null]}}", ".spec.when: expected any scalar, got &{map[a:[1 x <nil>]]}");
		cannotBeApplied("{when: [1]}", ".spec.when: expected any scalar, got &{[1]}");
		cannotBeApplied("{bare: 'x'}", ".spec.bare: expected map, got &{x}");
		cannotBeApplied("{ports: {a: 'b'}}", ".spec.ports: expected list, got &{map[a:b]}");
		cannotBeApplied("{ports: [3, 4]}",
				".spec.ports: element 0: associative list with keys may not have non-map elements");
		cannotBeApplied("{ports: [{port: [1, {a: 2}]}]}",
				".spec.ports[port=[1,a=2]].port: expected numeric (int or float), got []interface {}");
		cannotBeApplied("{tags: [['a'], ['b']]}",
				".spec.tags: element 0: not supported: associative list with lists as elements");
		cannotBeApplied("{tags: [{}]}",
				".spec.tags: element 0: associative list without keys has an element that's a map type");
		cannotBeApplied("{each: {x: {a: 'b', c: 1}}}", ".spec.each.x.c: field not declared in schema");
		cannotBeApplied("{pod: {kind: 1}}", ".spec.pod.kind: expected string, got &value.valueUnstructured{Value:1}");
		cannotBeApplied("{pod: {metadata: {x: 1}}}", ".spec.pod.metadata.x: field not declared in schema");
		cannotBeApplied("{pod: {metadata: {labels: {a: true}}}}",
				".spec.pod.metadata.labels.a: expected string, got &value.valueUnstructured{Value:true}");
	}

	private void cannotBeApplied(String spec, String why) {
		patch(APPLY, BOXES + "/a?fieldManager=me", "{" + BOX + ", spec: " + spec + "}").isRejected(500, "",
				"failed to create typed patch object (/a; NS.example.com/v1, Kind=Box): " + why);
	}

	@Test
	void applyShouldLeaveTypesThatItDoesNotKnowToValidation() {
		assertThat(
				patch(APPLY, BOXES + "/a?fieldManager=me", "{" + BOX + ", spec: {size: 1, bare: {x: 1}}}").hasCode(201)
					.body()
					.path("spec")
					.path("bare"))
			.isEmpty();
		patch(APPLY, BOXES + "/a?fieldManager=me", "{" + BOX + ", spec: {size: 1, when: 1}}").isRejected(422, "Invalid",
				"Box.NS.example.com \"a\" is invalid: spec.when: Invalid value: \"int64\": spec.when in body must be of "
						+ "type date-time: \"int64\"");
	}

	@Test
	void valueThatWasStoredBeforeShouldBeKept() {
		box("{size: 9}").hasCode(201);
		Answer stored = get(DEFINITIONS + "/boxes.NS.example.com");
		put(DEFINITIONS + "/boxes.NS.example.com", stored.text().replace("\"maximum\":10", "\"maximum\":5"))
			.hasCode(200);
		await().atMost(Duration.ofSeconds(30))
			.until(() -> post(BOXES + "?dryRun=All", "{" + BOX.replace("'a'", "'b'") + ", spec: {size: 6}}")
				.code() == 422);
		patch(MERGE_PATCH, BOXES + "/a", "{spec: {name: 'abc'}}").hasCode(200);
		patch(MERGE_PATCH, BOXES + "/a", "{spec: {size: 8}}").hasCode(422);
	}

	@Test
	void definitionThatIsNotValidShouldBeRefused() {
		String path = DEFINITIONS + "?dryRun=All";
		String words = "CustomResourceDefinition.apiextensions.k8s.io \"boxes.NS.example.com\" is invalid: ";
		post(path, definition("{type: 'object', properties: {a: {}}}")).isRejected(422, "Invalid", words
				+ "spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified "
				+ "object fields");
		post(path, definition("{type: 'object', properties: {a: {type: 'integer', default: 'x'}}}")).isRejected(422,
				"Invalid",
				words + "spec.validation.openAPIV3Schema.properties[a].default: Invalid value: \"string\":  in "
						+ "body must be of type integer: \"string\"");
		post(path,
				definition("{type: 'object', properties: {a: {type: 'array', items: {type: 'string'}, uniqueItems: "
						+ "true}}}"))
			.isRejected(422, "Invalid", words + "spec.validation.openAPIV3Schema.properties[a].uniqueItems: Forbidden: "
					+ "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
		post(path, definition("{type: 'object'}").replace("name: 'boxes.NS", "name: 'box.NS"))
			.isRejected(422, "Invalid", words.replace("boxes", "box")
					+ "metadata.name: Invalid value: \"box.NS.example.com\": must be spec.names.plural+\".\"+spec.group");
	}

	@Test
	void defaultOfAnIntOrStringMayBeAnything() {
		for (String value : new String[] { "null", "true", "'x'" }) {
			post(DEFINITIONS + "?dryRun=All",
					definition("{type: 'object', properties: {spec: {type: 'object', properties: {a: "
							+ "{'x-kubernetes-int-or-string': true}}, default: {a: " + value + "}}}}")
						.replace("boxes", "cans"))
				.hasCode(201);
		}
	}

	@Test
	void rulesShouldBeEvaluated() {
		String schema = """
				{type: 'object', properties: {spec: {type: 'object', properties: {min: {type: 'integer'},
				max: {type: 'integer'}, name: {type: 'string', maxLength: 9,
				'x-kubernetes-validations': [{rule: 'self == oldSelf', message: 'name is immutable'}]}},
				'x-kubernetes-validations': [{rule: 'self.min <= self.max', message: 'min must not exceed max'}]}}}""";
		post(DEFINITIONS, definition(schema).replace("boxes", "cases").replace("'Box'", "'Case'").replace("scale", "x"))
			.hasCode(201);
		afterwards(() -> delete(DEFINITIONS + "/cases.NS.example.com"));
		String cases = BOXES.replace("boxes", "cases");
		await().atMost(Duration.ofSeconds(30)).until(() -> get(cases).code() == 200);
		String object = "{" + BOX.replace("'Box'", "'Case'") + ", spec: {min: 2, max: %d, name: 'x'}}";
		post(cases, object.formatted(1)).isRejected(422, "Invalid",
				"Case.NS.example.com \"a\" is invalid: spec: Invalid " + "value: " + since(34, "", "\"object\": ")
						+ "min must not exceed max");
		post(cases, object.formatted(3)).hasCode(201);
		patch(MERGE_PATCH, cases + "/a", "{spec: {name: 'y'}}").isRejected(422, "Invalid",
				"Case.NS.example.com \"a\" is invalid: spec.name: Invalid value: " + since(34, "\"y\"", "\"string\"")
						+ ": name is immutable");
		post(DEFINITIONS + "?dryRun=All",
				definition("{type: 'object', 'x-kubernetes-validations': [{rule: 'self.a > 1'}]}").replace("boxes",
						"others"))
			.hasCode(422);
	}

}
