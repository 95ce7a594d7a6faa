package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.annotations.JsonAdapter;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Kind of reader that the values of a type need.
 *
 * @param kind the kind of reader
 * @param raw the class
 * @param content for a collection, the type of its elements; otherwise the type itself
 */
record ValueType(Kind kind, Class<?> raw, Type content) {

	private static final String OFFICIAL = V1ObjectMeta.class.getPackageName();

	/**
	 * Determines the kind of reader for values of a type.
	 * @param type the type, without type variables
	 * @return the kind of reader
	 */
	static ValueType of(Type type) {
		Class<?> raw = ModelTypes.raw(type);
		Kind kind = kind(raw, type);
		return new ValueType(kind, raw, switch (kind) {
			case LIST, SET -> argument(type, 0);
			case MAP -> argument(type, 1);
			default -> type;
		});
	}

	private static Kind kind(Class<?> raw, Type type) {
		if (JsonValues.isPlain(raw)) {
			return Kind.PLAIN;
		}
		if (raw.getPackageName().equals(OFFICIAL)) {
			return Kind.MODEL;
		}
		if (raw.isAnnotationPresent(JsonAdapter.class)) {
			return Kind.GSON;
		}
		if (raw.isEnum()) {
			return Kind.ENUM;
		}
		if (raw == List.class || raw == Collection.class || raw == Iterable.class) {
			return Kind.LIST;
		}
		if (raw == Set.class) {
			return Kind.SET;
		}
		if (raw == Map.class && (argument(type, 0) == String.class || argument(type, 0) == Object.class)) {
			return Kind.MAP;
		}
		if (raw.isPrimitive() || raw.isArray() || raw.getName().startsWith("java.")
				|| JsonElement.class.isAssignableFrom(raw) || Collection.class.isAssignableFrom(raw)
				|| Map.class.isAssignableFrom(raw)) {
			return Kind.GSON;
		}
		return Modifier.isAbstract(raw.getModifiers()) ? Kind.ABSTRACT : Kind.MODEL;
	}

	private static Type argument(Type type, int index) {
		return (type instanceof ParameterizedType generic) ? generic.getActualTypeArguments()[index] : Object.class;
	}

	enum Kind {

		/** Plain value of the official models. */
		PLAIN,

		/** Enum constant. */
		ENUM,

		/** List, or a collection type that a list can implement. */
		LIST,

		/** Set. */
		SET,

		/** Map with strings as keys. */
		MAP,

		/** Class with fields. */
		MODEL,

		/** Value that only Gson can read, itself or by an adapter. */
		GSON,

		/** Interface or abstract class, which cannot be instantiated. */
		ABSTRACT

	}

}
