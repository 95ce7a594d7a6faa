package dev.kubeinformer.test.internal.write;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Converts quantities to the form in which kube-apiserver stores them. The form is the
 * same for all notations of a quantity ({@code resource.Quantity} of
 * k8s.io/apimachinery). The models of the official client show which fields are
 * quantities.
 */
final class Quantities {

	private static final String MODELS = "io.kubernetes.client.openapi.models.";

	private static final Pattern SYNTAX = Pattern
		.compile("([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))(?:([KMGTPE])i|([numkMGTPE]?)|([eE])([+-]?[0-9]+))");

	private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");

	private static final String BINARY = "KMGTPE";

	// Exponent of the smallest unit, nano.
	private static final int SMALLEST = -9;

	private static final BigInteger KIBI = BigInteger.valueOf(1024);

	private final Map<Class<?>, Map<String, Class<?>>> fields = new ConcurrentHashMap<>();

	private final Map<String, Boolean> known = new ConcurrentHashMap<>();

	/**
	 * Writes the quantities of a built-in object as the server does.
	 * @param type the resource of the object
	 * @param object the object, which is changed
	 */
	void normalize(ResourceDefinition type, ObjectNode object) {
		if (!type.isCustom() && this.known.computeIfAbsent(type.model(), (name) -> hasQuantities(model(name)))) {
			normalize(object, model(type.model()));
		}
	}

	private static Class<?> model(String name) {
		try {
			return Class.forName(MODELS + name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException("The official client has no model \"" + name + "\"", ex);
		}
	}

	private boolean hasQuantities(Class<?> model) {
		return !fieldsOf(model).isEmpty();
	}

	private void normalize(JsonNode value, Class<?> model) {
		if (!(value instanceof ObjectNode object)) {
			return;
		}
		fieldsOf(model).forEach((name, fieldType) -> {
			JsonNode field = object.get(name);
			if (field == null) {
				return;
			}
			if (fieldType != Quantity.class) {
				each(field, (nested) -> normalize(nested, fieldType));
			}
			else if (field instanceof ObjectNode map) {
				map.properties().forEach((entry) -> entry.setValue(canonical(entry.getValue())));
			}
			else {
				object.set(name, canonical(field));
			}
		});
	}

	private static void each(JsonNode field, java.util.function.Consumer<JsonNode> action) {
		if (field instanceof ArrayNode list) {
			list.forEach(action);
		}
		else {
			action.accept(field);
		}
	}

	// Returns the fields that are or contain quantities, with the class of the value or
	// item.
	private Map<String, Class<?>> fieldsOf(Class<?> model) {
		Map<String, Class<?>> present = this.fields.get(model);
		if (present != null) {
			return present;
		}
		// Ends the recursion for a model that contains itself.
		this.fields.put(model, Map.of());
		Map<String, Class<?>> found = new HashMap<>();
		for (Field field : model.getDeclaredFields()) {
			SerializedName name = field.getAnnotation(SerializedName.class);
			Class<?> type = (name != null) ? valueType(field.getGenericType()) : null;
			boolean leads = type != null && type.getName().startsWith(MODELS) && hasQuantities(type);
			if (type == Quantity.class || leads) {
				found.put(name.value(), type);
			}
		}
		this.fields.put(model, Map.copyOf(found));
		return found;
	}

	private static @Nullable Class<?> valueType(Type type) {
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			return valueType(arguments[arguments.length - 1]);
		}
		return (type instanceof Class<?> plain) ? plain : null;
	}

	private static JsonNode canonical(JsonNode value) {
		String text = value.isNumber() ? value.asString() : value.asString("");
		String canonical = canonical(text);
		return (canonical != null) ? StringNode.valueOf(canonical) : value;
	}

	// Returns the canonical form; null if the text is not a quantity.
	static @Nullable String canonical(String text) {
		Matcher matcher = SYNTAX.matcher(text);
		if (!matcher.matches()) {
			return null;
		}
		BigDecimal number = new BigDecimal(matcher.group(1));
		String binary = matcher.group(2);
		if (binary != null) {
			number = number.multiply(new BigDecimal(KIBI.pow(BINARY.indexOf(binary) + 1)));
		}
		else if (matcher.group(4) != null) {
			number = number.scaleByPowerOfTen(Integer.parseInt(matcher.group(5)));
		}
		else {
			number = number.scaleByPowerOfTen((DECIMAL.indexOf(matcher.group(3)) * 3) + SMALLEST);
		}
		// Digits below nano are rounded away from zero.
		number = number.setScale(Math.min(number.scale(), -SMALLEST), RoundingMode.UP);
		if (number.signum() == 0) {
			return "0";
		}
		boolean whole = number.stripTrailingZeros().scale() <= 0;
		if (binary != null && whole && number.abs().compareTo(new BigDecimal(KIBI)) >= 0) {
			return binary(number.toBigInteger());
		}
		return decimal(number.stripTrailingZeros(), (matcher.group(4) != null) ? matcher.group(4) : "");
	}

	private static String binary(BigInteger number) {
		BigInteger rest = number;
		int power = 0;
		while (power < BINARY.length() && rest.mod(KIBI).signum() == 0) {
			rest = rest.divide(KIBI);
			power++;
		}
		return rest + ((power > 0) ? BINARY.charAt(power - 1) + "i" : "");
	}

	private static String decimal(BigDecimal number, String exponential) {
		int exponent = Math.floorDiv(-number.scale(), 3) * 3;
		if (exponential.isEmpty()) {
			exponent = Math.min(exponent, 18);
		}
		String mantissa = number.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
		if (!exponential.isEmpty()) {
			return (exponent == 0) ? mantissa : mantissa + exponential + exponent;
		}
		return mantissa + DECIMAL.get((exponent - SMALLEST) / 3);
	}

}
