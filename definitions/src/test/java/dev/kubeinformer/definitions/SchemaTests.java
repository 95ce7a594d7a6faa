package dev.kubeinformer.definitions;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.definition.DefaultValue;
import dev.kubeinformer.definition.Description;
import dev.kubeinformer.definition.ListSet;
import dev.kubeinformer.definition.PreserveUnknownFields;
import dev.kubeinformer.definition.ValidationRule;
import dev.kubeinformer.resource.KubernetesResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fields of classes and their schemas.
 */
@NullUnmarked
class SchemaTests {

	private static final String QUANTITY_START = "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}],"
			+ "\"pattern\":";

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					text          | {"type":"string"}
					number        | {"format":"int32","type":"integer"}
					large         | {"format":"int64","type":"integer"}
					small         | {"format":"int32","maximum":32767.0,"minimum":-32768.0,"type":"integer"}
					flag          | {"type":"boolean"}
					ratio         | {"format":"double","type":"number"}
					decimal       | {"type":"number"}
					letter        | {"maxLength":1,"minLength":1,"type":"string"}
					time          | {"format":"date-time","type":"string"}
					date          | {"format":"date","type":"string"}
					bytes         | {"format":"byte","type":"string"}
					either        | {"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true}
					color         | {"enum":["RED","dark-blue"],"type":"string"}
					renamed-field | {"type":"string"}
					words         | {"items":{"type":"string"},"type":"array"}
					set           | {"items":{"type":"string"},"type":"array","x-kubernetes-list-type":"set"}
					parts         | {"items":{"properties":{"name":{"type":"string"}},"type":"object"},"type":"array"}
					partSet       | {"items":{"properties":{"name":{"type":"string"}},"type":"object"},"type":"array"}
					byName        | {"additionalProperties":{"properties":{"name":{"type":"string"}},"type":"object"},"type":"object"}
					byColor       | {"additionalProperties":{"format":"int32","type":"integer"},"type":"object"}
					anything      | {"x-kubernetes-preserve-unknown-fields":true}
					anyObject     | {"type":"object","x-kubernetes-preserve-unknown-fields":true}
					anyList       | {"items":{"x-kubernetes-preserve-unknown-fields":true},"type":"array"}
					open          | {"additionalProperties":{"type":"string"},"type":"object","x-kubernetes-preserve-unknown-fields":true}
					described     | {"description":"A part","properties":{"name":{"type":"string"}},"type":"object"}
					ruled         | {"type":"string","x-kubernetes-validations":[{"message":"m","rule":"self != \\u0027a\\u0027"}]}
					""")
	void typeOfAFieldHasItsSchema(String field, String expected) {
		assertThat(Kind.json(Typed.class, "spec", field)).isEqualTo(expected.replace("\\u0027", "'"));
	}

	@Test
	void quantityIsIntegerOrString() {
		assertThat(Kind.json(Typed.class, "spec", "quantity")).startsWith(QUANTITY_START)
			.endsWith("\"x-kubernetes-int-or-string\":true}");
	}

	@Test
	void fieldsThatGsonDoesNotWriteAreLeftOut() {
		assertThat(Kind.schema(Typed.class).getProperties().get("spec").getProperties()).doesNotContainKeys("ignored",
				"shared", "renamed");
	}

	@Test
	void modelsHaveTheirPublishedSchemas() {
		assertThat(Kind.json(Models.class, "spec", "conditions")).contains(
				"\"required\":[\"lastTransitionTime\",\"message\",\"reason\",\"status\",\"type\"]",
				"\"x-kubernetes-list-map-keys\":[\"type\"]", "\"x-kubernetes-list-type\":\"map\"");
		assertThat(Kind.json(Models.class, "spec", "ports")).contains("\"default\":\"TCP\"",
				"\"required\":[\"containerPort\"]", "\"x-kubernetes-list-map-keys\":[\"containerPort\",\"protocol\"]");
		assertThat(Kind.json(Models.class, "spec", "selector")).endsWith("\"x-kubernetes-map-type\":\"atomic\"}");
		assertThat(Kind.json(Models.class, "spec", "meta")).doesNotContain("managedFields")
			.contains("{\"format\":\"date-time\",\"nullable\":true,\"type\":\"string\"}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					size     | {"maxLength":5,"minLength":2,"type":"string"}
					blank    | {"minLength":1,"pattern":"\\\\S","type":"string"}
					list     | {"items":{"maxLength":3,"type":"string"},"maxItems":4,"minItems":1,"type":"array"}
					map      | {"additionalProperties":{"format":"int32","minimum":1.0,"type":"integer"},"maxProperties":2,"type":"object"}
					range    | {"format":"int32","maximum":9.0,"minimum":1.0,"type":"integer"}
					positive | {"format":"int64","minimum":1.0,"type":"integer"}
					ratio    | {"exclusiveMinimum":true,"format":"double","minimum":0.0,"type":"number"}
					part     | '{"pattern":"^(?:a|b)$","type":"string"}'
					anchored | {"pattern":"^ab*$","type":"string"}
					flags    | {"pattern":"(?i)^(?:ab)$","type":"string"}
					two      | {"allOf":[{"pattern":"^(?:.*b)$"}],"pattern":"^(?:a.*)$","type":"string"}
					email    | {"format":"email","type":"string"}
					getter   | {"format":"int32","maximum":3.0,"type":"integer"}
					""")
	void constraintsAreInTheSchema(String field, String expected) {
		assertThat(Kind.json(Constrained.class, "spec", field)).isEqualTo(expected);
	}

	@Test
	void constraintsThatRefuseNullMakeFieldsRequired() {
		assertThat(Kind.schema(Constrained.class).getProperties().get("spec").getRequired()).containsExactly("blank",
				"list", "range");
	}

	@Test
	void nothingIsRequiredWithoutAMarker() {
		assertThat(Kind.schema(Typed.class).getRequired()).isNull();
		assertThat(Kind.schema(Typed.class).getProperties().get("spec").getRequired()).isNull();
	}

	@Test
	void fieldsOfMarkedClassesAreRequiredUnlessTheyMayBeNull() {
		assertThat(Kind.schema(Marked.class).getRequired()).containsExactly("spec");
		assertThat(Kind.schema(Marked.class).getProperties().get("spec").getRequired()).containsExactly("text");
		assertThat(Kind.schema(Marked.class).getProperties().get("open").getRequired()).isNull();
		assertThat(Kind.json(Marked.class, "spec", "elements", "[]"))
			.isEqualTo("{\"nullable\":true,\"type\":\"string\"}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			text     | "a"
			number   | 3
			zero     | 0
			unset    |
			off      | false
			list     | ["a"]
			none     |
			now      |
			inner    | {}
			changed  | {"size":8}
			color    | "dark-blue"
			declared | {"name":"x"}
			quantity | "1Gi"
			percent  | "25%"
			count    | 2
			""")
	void initialValuesAreDefaults(String field, String expected) {
		Object value = Kind.schema(Defaulted.class).getProperties().get("spec").getProperties().get(field).getDefault();
		assertThat((value != null) ? new com.google.gson.Gson().toJson(value) : null).isEqualTo(expected);
	}

	@Test
	void objectThatAClassCreatesIsADefaultIfItIsComplete() {
		assertThat(Kind.schema(Defaulted.class).getProperties().get("spec").getDefault()).isEqualTo(Map.of());
		assertThat(Kind.schema(Incomplete.class).getProperties().get("spec").getDefault()).isNull();
		assertThat(Kind.schema(Incomplete.class).getRequired()).containsExactly("spec");
	}

	enum Color {

		RED, @SerializedName("dark-blue")
		DARK_BLUE

	}

	record Part(String name) {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "typeds")
	static class Typed extends Kind {

		Spec spec;

		static class Spec {

			String text;

			int number;

			Long large;

			short small;

			Boolean flag;

			double ratio;

			BigDecimal decimal;

			char letter;

			OffsetDateTime time;

			LocalDate date;

			byte[] bytes;

			IntOrString either;

			Quantity quantity;

			Color color;

			@SerializedName("renamed-field")
			String renamed;

			String[] words;

			Set<String> set;

			List<Part> parts;

			Set<Part> partSet;

			Map<String, Part> byName;

			Map<Color, Integer> byColor;

			Object anything;

			Map<String, Object> anyObject;

			List<Object> anyList;

			@PreserveUnknownFields
			Map<String, String> open;

			@Description("A part")
			Part described;

			@ValidationRule(value = "self != 'a'", message = "m")
			String ruled;

			transient String ignored;

			static String shared;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "models")
	static class Models extends Kind {

		Spec spec;

		static class Spec {

			List<V1Condition> conditions;

			List<V1ContainerPort> ports;

			V1LabelSelector selector;

			V1ObjectMeta meta;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "constraineds")
	static class Constrained extends Kind {

		Spec spec;

		static class Spec {

			@Size(min = 2, max = 5)
			String size;

			@NotBlank
			String blank;

			@NotEmpty
			@Size(max = 4)
			List<@Size(max = 3) String> list;

			@Size(max = 2)
			Map<String, @Min(1) Integer> map;

			@NotNull
			@Min(1)
			@Max(9)
			Integer range;

			@Positive
			long positive;

			@DecimalMin(value = "0", inclusive = false)
			double ratio;

			@Pattern(regexp = "a|b")
			String part;

			@Pattern(regexp = "^ab*$")
			String anchored;

			@Pattern(regexp = "ab", flags = Pattern.Flag.CASE_INSENSITIVE)
			String flags;

			@Pattern(regexp = "a.*")
			@Pattern(regexp = ".*b")
			String two;

			@Email
			String email;

			private int getter;

			@Max(3)
			int getGetter() {
				return this.getter;
			}

		}

	}

	@NullMarked
	@KubernetesResource(group = "example.com", version = "v1", plural = "markeds")
	static class Marked extends Kind {

		Spec spec;

		Open open = new Open();

		Status status;

		static class Spec {

			String text;

			@Nullable String optional;

			int primitive;

			List<String> initialised = new ArrayList<>();

			List<@Nullable String> elements = List.of();

			String defaulted = "d";

		}

		@NullUnmarked
		static class Open {

			String text;

			int size = 1;

		}

		static class Status {

			@Nullable String phase;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "defaulteds")
	static class Defaulted extends Kind {

		Spec spec = new Spec();

		static class Spec {

			String text = "a";

			int number = 3;

			Integer zero = 0;

			int unset;

			Boolean off = false;

			List<String> list = List.of("a");

			Map<String, String> none = new LinkedHashMap<>();

			OffsetDateTime now = OffsetDateTime.now();

			Inner inner = new Inner();

			Inner changed = new Inner(8);

			Color color = Color.DARK_BLUE;

			@DefaultValue("{\"name\": \"x\"}")
			Part declared;

			Quantity quantity = Quantity.fromString("1Gi");

			@DefaultValue("25%")
			IntOrString percent;

			@DefaultValue("2")
			IntOrString count;

		}

		static class Inner {

			int size = 5;

			Inner() {
			}

			Inner(int size) {
				this.size = size;
			}

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "incompletes")
	static class Incomplete extends Kind {

		@NotNull
		Spec spec = new Spec();

		static class Spec {

			@NotNull
			String name;

			@ListSet
			List<String> tags = new ArrayList<>();

			int size = 3;

		}

	}

}
