package dev.kubeinformer.definitions;

import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link DefinitionChanges}.
 */
class DefinitionChangesTests {

	/** Old schema of .spec.f, new one, and the change; '!' marks a breaking one. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					{type: string}                     | {type: string}                     | none
					{type: string}                     | {type: integer}                    | !.spec.f had the type string and has integer
					{type: integer}                    | {type: number}                     | .spec.f had the type integer and has number
					{type: number}                     | {type: integer}                    | !.spec.f had the type number and has integer
					{type: integer}                    | {x-kubernetes-int-or-string: true} | .spec.f had the type integer and has int or string
					{x-kubernetes-int-or-string: true} | {type: string}                     | !.spec.f had the type int or string and has string
					{type: string}                     | {x-kubernetes-preserve-unknown-fields: true} | .spec.f had the type string and has any value
					{type: string, enum: [a, b]}       | {type: string, enum: [b]}          | !.spec.f no longer accepts 'a'
					{type: string, enum: [a]}          | {type: string, enum: [a, b]}       | .spec.f accepts 'b', too
					{type: string}                     | {type: string, enum: [a]}          | !.spec.f accepts only [a]
					{type: string, enum: [a]}          | {type: string}                     | .spec.f accepts any value
					{type: string}                     | {type: string, pattern: a}         | !.spec.f has the new 'pattern' 'a'
					{type: string, pattern: a}         | {type: string, pattern: b}         | !.spec.f had 'pattern' 'a' and has 'b'
					{type: string, pattern: a}         | {type: string}                     | .spec.f lost 'pattern' 'a'
					{type: string}                     | {type: string, minLength: 0}       | none
					{type: string}                     | {type: string, minLength: 1}       | !.spec.f has the new 'minLength' 1
					{type: string, minLength: 2}       | {type: string, minLength: 1}       | .spec.f had 'minLength' 2 and has 1
					{type: string, maxLength: 9}       | {type: string, maxLength: 8}       | !.spec.f had 'maxLength' 9 and has 8
					{type: string, maxLength: 8}       | {type: string, maxLength: 9}       | .spec.f had 'maxLength' 8 and has 9
					{type: integer, minimum: 1}        | {type: integer, minimum: 1.0}      | none
					{type: integer, minimum: 1}        | {type: integer, minimum: 2}        | !.spec.f had 'minimum' 1 and has 2
					{type: integer, maximum: 2}        | {type: integer}                    | .spec.f lost 'maximum' 2
					{type: integer, maximum: 2}        | {type: integer, maximum: 2, exclusiveMaximum: true} | !.spec.f has the new 'exclusiveMaximum'
					{type: integer, multipleOf: 4}     | {type: integer, multipleOf: 2}     | .spec.f had 'multipleOf' 4 and has 2
					{type: integer, multipleOf: 4}     | {type: integer, multipleOf: 3}     | !.spec.f had 'multipleOf' 4 and has 3
					{type: integer, format: int32}     | {type: integer, format: int64}     | .spec.f had 'format' 'int32' and has 'int64'
					{type: integer, format: int64}     | {type: integer, format: int32}     | !.spec.f had 'format' 'int64' and has 'int32'
					{type: string}                     | {type: string, format: date-time}  | !.spec.f has the new 'format' 'date-time'
					{type: string, nullable: true}     | {type: string}                     | !.spec.f is no longer nullable
					{type: string}                     | {type: string, nullable: true}     | .spec.f is nullable
					{type: string}                     | {type: string, default: a}         | .spec.f had the default none and has a
					{type: string, description: a}     | {type: string, description: b}     | . has other descriptions
					{type: object, x-kubernetes-preserve-unknown-fields: true} | {type: object} | !.spec.f no longer keeps unknown fields
					{type: object, x-kubernetes-preserve-unknown-fields: true} | {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}} | !.spec.f.a was added with the type string where any field was kept
					{type: object, properties: {a: {type: string}}} | {type: object, x-kubernetes-preserve-unknown-fields: true} | .spec.f keeps unknown fields; .spec.f.a was removed; unknown fields are kept
					{type: object, properties: {a: {type: string}}} | {type: object, additionalProperties: {type: string}} | none
					{type: object, additionalProperties: {type: string}} | {type: object, additionalProperties: {type: integer}} | !.spec.f.* had the type string and has integer
					{type: object, additionalProperties: {type: string}} | {type: object, properties: {a: {type: string}}} | !.spec.f was a map and has fixed fields
					{type: array, items: {type: string}} | {type: array, items: {type: integer}} | !.spec.f[*] had the type string and has integer
					{type: array, items: {type: string}} | {type: array, items: {type: string}, x-kubernetes-list-type: set} | !.spec.f was a list of type 'atomic' and is 'set'
					{type: array, items: {type: string}, x-kubernetes-list-type: set} | {type: array, items: {type: string}} | .spec.f was a list of type 'set' and is 'atomic'
					{type: string}                     | {type: string, x-kubernetes-validations: [{rule: self != ''}]} | !.spec.f has the new rule 'self != '''
					{type: string, x-kubernetes-validations: [{rule: self != '', message: a}]} | {type: string, x-kubernetes-validations: [{rule: self != '', message: b}]} | none
					{type: string, x-kubernetes-validations: [{rule: self != ''}]} | {type: string} | .spec.f lost the rule 'self != '''
					{type: object, properties: {a: {type: string}}} | {type: object, properties: {a: {type: string}}, required: [a]} | !.spec.f.a is required
					{type: object, properties: {a: {type: string}}} | {type: object, properties: {a: {type: string, default: b}}, required: [a]} | .spec.f.a had the default none and has b
					{type: object, properties: {a: {type: string, default: b}}, required: [a]} | {type: object, properties: {a: {type: string}}, required: [a]} | .spec.f.a had the default b and has none; !.spec.f.a is required
					{type: object, properties: {a: {type: string}}, required: [a]} | {type: object, properties: {a: {type: string}}} | .spec.f.a is optional
					{type: object}                     | {type: object, properties: {a: {type: string}}} | .spec.f.a was added
					{type: object}                     | {type: object, properties: {a: {type: string}}, required: [a]} | !.spec.f.a was added and is required, without a default
					{type: object}                     | {type: object, properties: {a: {type: string, default: b}}, required: [a]} | .spec.f.a was added
					{type: object, properties: {a: {type: string}}} | {type: object} | !.spec.f.a was removed
					{type: object}                     | {type: object, oneOf: [{required: [a]}]} | !.spec.f has another 'oneOf'
					""",
			quoteCharacter = '"')
	void changeOfASchemaShouldBe(String before, String after, String expected) {
		assertThat(said(DefinitionChanges.between(of(before), of(after)), "widgets.example.com v1 "))
			.isEqualTo(expected.equals("none") ? "" : expected);
	}

	private static String said(DefinitionChanges changes, String prefix) {
		return String.join("; ",
				changes.all()
					.stream()
					.map((change) -> (change.breaking() ? "!" : "") + change.toString().replace(prefix, ""))
					.toList());
	}

	private static String of(String field) {
		return definition("Namespaced", "None", version("v1", true, true, field));
	}

	private static String definition(String scope, String conversion, String... versions) {
		return """
				apiVersion: apiextensions.k8s.io/v1
				kind: CustomResourceDefinition
				metadata: {name: widgets.example.com}
				spec:
				  group: example.com
				  scope: %s
				  names: {plural: widgets, kind: Widget}
				  conversion: {strategy: %s}
				  versions:
				%s""".formatted(scope, conversion, String.join("", versions));
	}

	private static String version(String name, boolean served, boolean storage, String field) {
		return """
				  - name: %s
				    served: %s
				    storage: %s
				    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {f: %s}}}}}
				""".formatted(name, served, storage, field);
	}

	static Stream<List<String>> definitions() {
		String text = "{type: string}";
		String v1 = version("v1", true, true, text);
		String old = definition("Namespaced", "None", v1);
		String both = definition("Namespaced", "None", v1, version("v2", true, false, text));
		String subresource = "    subresources: {status: {}}\n";
		return Stream.of(List.of(old, old, ""),
				List.of(old, definition("Cluster", "None", v1), "!spec.scope was 'Namespaced' and is 'Cluster'"),
				List.of(old, old.replace("kind: Widget", "kind: Gadget"),
						"!spec.names.kind was 'Widget' and is 'Gadget'"),
				List.of(old,
						old.replace("plural: widgets", "plural: gadgets").replace("name: widgets", "name: gadgets"),
						"!spec.names.plural was 'widgets' and is 'gadgets'"),
				List.of(old, old.replace("kind: Widget", "kind: Widget, shortNames: [w]"),
						"spec.names.shortNames was absent and is '[w]'"),
				List.of(old, "", "! was removed"), List.of("", old, " was added"), List.of(old, both, "v2  was added"),
				List.of(both, old, "!v2  was dropped, and clients may use it"),
				List.of(both.replace("served: true\n    storage: false", "served: false\n    storage: false"), old,
						"v2  was dropped; it was neither served nor stored"),
				List.of(both + "status: {storedVersions: [v1, v2]}\n", old,
						"!v2  was dropped, and objects may be stored in it"),
				List.of(both, both.replace("served: true\n    storage: false", "served: false\n    storage: false"),
						"!v2 served was 'true' and is 'false'"),
				List.of(both,
						definition("Namespaced", "None", version("v1", true, false, text),
								version("v2", true, true, text)),
						"v2 storage replaces 'v1', which stays served"),
				List.of(both,
						definition("Namespaced", "None", version("v1", false, false, text),
								version("v2", true, true, text)),
						"!v1 served was 'true' and is 'false'; !v2 storage replaces 'v1', which is not served"),
				List.of(definition("Namespaced", "None", v1, version("v2", true, false, "{type: integer}")),
						definition("Namespaced", "None", version("v1", true, false, text),
								version("v2", true, true, "{type: integer}")),
						"v2 storage replaces 'v1', which stays served; "
								+ "!v1 -> v2 .spec.f had the type string and has integer"),
				List.of(old, definition("Namespaced", "None", version("v2", true, true, text)),
						"!v1  was dropped, and objects may be stored in it; v2  was added"),
				List.of(definition("Namespaced", "Webhook", v1), old, "!spec.conversion was 'Webhook' and is 'None'"),
				List.of(old, old + subresource, "!v1 subresources.status was added"),
				List.of(old + subresource, old, "!v1 subresources.status was removed"),
				List.of(old, old + "    selectableFields: [{jsonPath: .spec.f}]\n",
						"v1 selectableFields gained '.spec.f'"),
				List.of(old + "    selectableFields: [{jsonPath: .spec.f}]\n", old,
						"!v1 selectableFields lost '.spec.f'"),
				List.of(old, old + "    deprecated: true\n", "v1 deprecated makes clients of it warned"),
				List.of(old, old + "    additionalPrinterColumns: [{name: F, type: string, jsonPath: .spec.f}]\n",
						"v1 additionalPrinterColumns were changed"));
	}

	@ParameterizedTest
	@MethodSource("definitions")
	void changeOfADefinitionShouldBe(List<String> beforeAfterExpected) {
		DefinitionChanges changes = DefinitionChanges.between(beforeAfterExpected.get(0), beforeAfterExpected.get(1));
		assertThat(said(changes, "widgets.example.com ")).isEqualTo(beforeAfterExpected.get(2));
	}

	@Test
	void everyBreakingChangeShouldHaveARemedy() {
		definitions().forEach((row) -> assertThat(DefinitionChanges.between(row.get(0), row.get(1)).breaking())
			.allSatisfy((change) -> assertThat(change.remedy()).endsWith(".")));
	}

	@Test
	void reportShouldHaveBreakingChangesFirstWithTheirRemedies() {
		DefinitionChanges changes = DefinitionChanges.between(of("{type: object, properties: {image: {type: string}}}"),
				of("{type: object, properties: {picture: {type: string}}}"));
		assertThat(changes.isBreaking()).isTrue();
		assertThat(changes.toString().lines()).containsExactly("Breaking:",
				"  widgets.example.com v1 .spec.f.image was removed",
				"      If it was renamed to 'picture', keep both until every object has the new one, or add a "
						+ "version and a conversion.",
				"Compatible:", "  widgets.example.com v1 .spec.f.picture was added");
	}

	@Test
	void modelsShouldBeComparedAsTheirYaml() {
		V1CustomResourceDefinition before = DefinitionTrees.models(of("{type: integer, default: 1}")).get(0);
		V1CustomResourceDefinition after = DefinitionTrees.models(of("{type: string}")).get(0);
		assertThat(said(DefinitionChanges.between(before, after), "widgets.example.com v1 "))
			.isEqualTo("!.spec.f had the type integer and has string");
		assertThat(DefinitionChanges.between(List.of(before), List.of(before)).all()).isEmpty();
	}

	@Test
	void otherObjectsOfAFileShouldBeIgnored() {
		String role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\n---\n";
		assertThat(DefinitionChanges.between(role + of("{type: string}"), of("{type: string}")).all()).isEmpty();
	}

	@Test
	void textThatIsNotYamlShouldBeRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> DefinitionChanges.between("a: [", ""))
			.withMessageStartingWith("Cannot read the definitions");
	}

}
