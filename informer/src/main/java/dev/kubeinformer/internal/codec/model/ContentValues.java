package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Converts the different forms of a value into one form, so that equal values can be
 * compared.
 */
final class ContentValues {

	private static final int DIGITS_OF_A_LONG = 18;

	private static final double WHOLE_DOUBLES = 1L << 53;

	private ContentValues() {
	}

	/**
	 * Returns the form in which a value is compared.
	 * @param value the value; a Gson element is replaced by the value in it
	 * @return the form; {@code null} for empty collections, maps and arrays, because the
	 * API server drops them
	 */
	static @Nullable Object plain(@Nullable Object value) {
		if (value == null || value instanceof String) {
			return value;
		}
		return switch (ContentClass.of(value.getClass()).kind()) {
			case MAP -> ((Map<?, ?>) value).isEmpty() ? null : value;
			case SET, LIST -> ((Collection<?>) value).isEmpty() ? null : value;
			case ARRAY -> (Array.getLength(value) == 0) ? null : value;
			case JSON -> plain(content(value));
			default -> value;
		};
	}

	/**
	 * Returns the value of a Gson element.
	 * @param json the element, or an object that wraps one
	 * @return the value, which may contain Gson elements; {@code null} for null
	 */
	static @Nullable Object content(Object json) {
		if (json instanceof DynamicKubernetesObject dynamic) {
			return dynamic.getRaw().asMap();
		}
		if (json instanceof JsonObject object) {
			return object.asMap();
		}
		if (json instanceof JsonArray array) {
			return array.asList();
		}
		if (json instanceof JsonPrimitive primitive) {
			return primitive.isNumber() ? primitive.getAsNumber()
					: primitive.isBoolean() ? (Object) primitive.getAsBoolean() : primitive.getAsString();
		}
		return null;
	}

	/**
	 * Returns the common form of all numbers of the same value.
	 * @param number the number
	 * @return a {@link Long} if the value fits into one, otherwise a text with its digits
	 */
	static Object canonical(Number number) {
		if (number instanceof Integer || number instanceof Long || number instanceof Short || number instanceof Byte) {
			return number.longValue();
		}
		if (number instanceof Double || number instanceof Float) {
			double value = number.doubleValue();
			if (value == Math.rint(value) && Math.abs(value) < WHOLE_DOUBLES) {
				return (long) value;
			}
		}
		try {
			BigDecimal decimal = new BigDecimal(number.toString()).stripTrailingZeros();
			// A short text such as 1e999999 can be a number with very many digits.
			boolean whole = decimal.scale() <= 0 && (long) decimal.precision() - decimal.scale() <= DIGITS_OF_A_LONG;
			return whole ? (Object) decimal.longValue() : decimal.toString();
		}
		catch (NumberFormatException ex) {
			return number.toString();
		}
	}

}
