package dev.kubeinformer.definitions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of classes that are one value in JSON, as the official client writes them.
 */
final class ScalarSchemas {

	/** The pattern of controller-gen for {@code resource.Quantity}. */
	static final String QUANTITY = "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))"
			+ "(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

	private static final Map<Class<?>, Supplier<V1JSONSchemaProps>> KNOWN = Map.ofEntries(
			Map.entry(String.class, () -> typed("string", null)),
			Map.entry(CharSequence.class, () -> typed("string", null)),
			Map.entry(Character.class, () -> typed("string", null).minLength(1L).maxLength(1L)),
			Map.entry(Boolean.class, () -> typed("boolean", null)),
			Map.entry(Integer.class, () -> typed("integer", "int32")),
			Map.entry(Long.class, () -> typed("integer", "int64")),
			Map.entry(Short.class, () -> bounded(Short.MIN_VALUE, Short.MAX_VALUE)),
			Map.entry(Byte.class, () -> bounded(Byte.MIN_VALUE, Byte.MAX_VALUE)),
			Map.entry(BigInteger.class, () -> typed("integer", null)),
			Map.entry(Float.class, () -> typed("number", "float")),
			Map.entry(Double.class, () -> typed("number", "double")),
			Map.entry(BigDecimal.class, () -> typed("number", null)),
			Map.entry(Number.class, () -> typed("number", null)),
			Map.entry(OffsetDateTime.class, () -> typed("string", "date-time")),
			Map.entry(Date.class, () -> typed("string", "date-time")),
			Map.entry(LocalDate.class, () -> typed("string", "date")),
			Map.entry(java.sql.Date.class, () -> typed("string", "date")),
			Map.entry(byte[].class, () -> typed("string", "byte")), Map.entry(Quantity.class, ScalarSchemas::quantity),
			Map.entry(IntOrString.class, ScalarSchemas::intOrString), Map.entry(Object.class, ScalarSchemas::any),
			Map.entry(JsonElement.class, ScalarSchemas::any), Map.entry(JsonPrimitive.class, ScalarSchemas::any),
			Map.entry(JsonNull.class, ScalarSchemas::any), Map.entry(JsonObject.class, ScalarSchemas::anyObject),
			Map.entry(JsonArray.class, () -> typed("array", null).items(any())));

	private static final Map<Class<?>, Class<?>> BOXES = Map.of(int.class, Integer.class, long.class, Long.class,
			boolean.class, Boolean.class, short.class, Short.class, byte.class, Byte.class, char.class, Character.class,
			float.class, Float.class, double.class, Double.class);

	private ScalarSchemas() {
	}

	/**
	 * Finds the schema of a class.
	 * @param type the class
	 * @return a new schema; {@code null} if the class is a list, a map or a model
	 */
	static @Nullable V1JSONSchemaProps find(Class<?> type) {
		if (type.isEnum()) {
			return typed("string", null)._enum(constants(type));
		}
		Supplier<V1JSONSchemaProps> known = KNOWN.get(Objects.requireNonNull(BOXES.getOrDefault(type, type)));
		return (known != null) ? known.get() : null;
	}

	static V1JSONSchemaProps typed(String type, @Nullable String format) {
		return ScalarSchemas.blank().type(type).format(format);
	}

	/**
	 * Returns a schema without the empty lists of a new model, which would be written.
	 * @return a new schema
	 */
	static V1JSONSchemaProps blank() {
		return new V1JSONSchemaProps().allOf(null)
			.anyOf(null)
			.oneOf(null)
			.definitions(null)
			.dependencies(null)
			._enum(null)
			.patternProperties(null)
			.properties(null)
			.required(null)
			.xKubernetesListMapKeys(null)
			.xKubernetesValidations(null);
	}

	static V1JSONSchemaProps any() {
		return ScalarSchemas.blank().xKubernetesPreserveUnknownFields(true);
	}

	static V1JSONSchemaProps anyObject() {
		return typed("object", null).xKubernetesPreserveUnknownFields(true);
	}

	private static V1JSONSchemaProps bounded(double minimum, double maximum) {
		return typed("integer", "int32").minimum(minimum).maximum(maximum);
	}

	private static V1JSONSchemaProps intOrString() {
		return ScalarSchemas.blank()
			.anyOf(List.of(typed("integer", null), typed("string", null)))
			.xKubernetesIntOrString(true);
	}

	private static V1JSONSchemaProps quantity() {
		return intOrString().pattern(QUANTITY);
	}

	private static List<Object> constants(Class<?> type) {
		List<Object> names = new ArrayList<>();
		for (Object constant : Objects.requireNonNull(type.getEnumConstants())) {
			names.add(nameOf((Enum<?>) constant));
		}
		return names;
	}

	/**
	 * Returns the name that Gson writes for a constant.
	 * @param constant the constant
	 * @return its name in JSON
	 */
	static String nameOf(Enum<?> constant) {
		return Arrays.stream(constant.getDeclaringClass().getFields())
			.filter((field) -> field.isEnumConstant() && field.getName().equals(constant.name()))
			.map((field) -> field.getAnnotation(SerializedName.class))
			.filter(Objects::nonNull)
			.map(SerializedName::value)
			.findFirst()
			.orElse(constant.name());
	}

}
