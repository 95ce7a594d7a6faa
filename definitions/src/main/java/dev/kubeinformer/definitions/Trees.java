package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import org.jspecify.annotations.Nullable;

/**
 * Converts Gson's trees into maps, lists and plain values.
 */
final class Trees {

	private Trees() {
	}

	static @Nullable Object of(JsonElement json) {
		if (json.isJsonObject()) {
			Map<String, @Nullable Object> map = new LinkedHashMap<>();
			json.getAsJsonObject().asMap().forEach((name, value) -> map.put(name, of(value)));
			return map;
		}
		if (json.isJsonArray()) {
			List<@Nullable Object> list = new ArrayList<>();
			json.getAsJsonArray().forEach((element) -> list.add(of(element)));
			return list;
		}
		return json.isJsonNull() ? null : plain(json.getAsJsonPrimitive());
	}

	private static Object plain(JsonPrimitive value) {
		if (value.isBoolean()) {
			return value.getAsBoolean();
		}
		return value.isNumber() ? number(value.getAsDouble(), value) : value.getAsString();
	}

	private static Number number(double value, JsonPrimitive json) {
		if (value != Math.rint(value)) {
			return value;
		}
		if (Math.abs(value) < 1L << 53) {
			return (Math.abs(value) <= Integer.MAX_VALUE) ? (Number) (int) value : (Number) (long) value;
		}
		return json.getAsBigDecimal().toBigInteger();
	}

}
