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
 * Way in which values of a type are read.
 *
 * @param kind what reads them
 * @param raw the class
 * @param content the type of what is in a collection; for all others the type itself
 */
record ValueType(Kind kind, Class<?> raw, Type content) {

	private static final String OFFICIAL = V1ObjectMeta.class.getPackageName();

	/**
	 * Finds out how values of a type are read.
	 * @param type the type, without variables
	 * @return how they are read
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

		/** One of the values of the official models. */
		PLAIN,

		/** A constant. */
		ENUM,

		/** A list, or what a list can stand for. */
		LIST,

		/** A set. */
		SET,

		/** A map with strings as keys. */
		MAP,

		/** A class with fields. */
		MODEL,

		/** What Gson reads by itself, or by an adapter. */
		GSON,

		/** An interface or an abstract class, which nobody can make an object of. */
		ABSTRACT

	}

}
