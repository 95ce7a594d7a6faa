package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Field;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Describes how values of a class are compared: their kind and, for a model class, its
 * fields by their JSON names.
 */
final class ContentClass {

	private static final ClassValue<ContentClass> KNOWN = new ClassValue<>() {

		@Override
		protected ContentClass computeValue(Class<?> type) {
			return new ContentClass(type);
		}

	};

	private final Kind kind;

	private final Field[] fields;

	private final String[] names;

	private final ContentHash[] hashes;

	private ContentClass(Class<?> type) {
		this.kind = Kind.of(type);
		List<Field> all = (this.kind == Kind.MODEL) ? ModelClass.of(type).fields() : List.of();
		this.fields = all.toArray(Field[]::new);
		this.names = all.stream().map(ContentClass::name).toArray(String[]::new);
		this.hashes = new ContentHash[this.names.length];
		for (int i = 0; i < this.names.length; i++) {
			ContentHasher hasher = new ContentHasher();
			hasher.addText(this.names[i]);
			this.hashes[i] = hasher.hash();
		}
	}

	private static String name(Field field) {
		SerializedName annotation = field.getAnnotation(SerializedName.class);
		return (annotation != null) ? annotation.value() : field.getName();
	}

	static ContentClass of(Class<?> type) {
		return KNOWN.get(type);
	}

	Kind kind() {
		return this.kind;
	}

	/**
	 * Returns the number of fields.
	 * @return the number; 0 for a class other than a model
	 */
	int size() {
		return this.fields.length;
	}

	Field field(int index) {
		return this.fields[index];
	}

	String name(int index) {
		return this.names[index];
	}

	/**
	 * Finds a field.
	 * @param name the JSON name
	 * @return its index; negative if there is none
	 */
	int index(String name) {
		for (int i = 0; i < this.names.length; i++) {
			if (this.names[i].equals(name)) {
				return i;
			}
		}
		return -1;
	}

	ContentHash hash(int index) {
		return this.hashes[index];
	}

	/** Kind of values, which determines their comparison. */
	enum Kind {

		/** Strings. */
		TEXT,

		/** Numbers; compared by their value. */
		NUMBER,

		/** Quantities; compared by number and format. */
		QUANTITY,

		/** Numbers or strings. */
		INT_OR_STRING,

		/** Times; compared by the instant. */
		TIME,

		/** Maps; the order of their entries does not count. */
		MAP,

		/** Sets; the order of their elements does not count. */
		SET,

		/** Other collections; the order of their elements counts. */
		LIST,

		/** Arrays of objects or of primitive values. */
		ARRAY,

		/**
		 * Gson's elements, and objects that wrap them. The values in them are compared.
		 */
		JSON,

		/** Objects with fields. */
		MODEL,

		/** All other values: enums, booleans, and objects whose fields cannot be read. */
		VALUE;

		private static Kind of(Class<?> type) {
			if (type == String.class) {
				return TEXT;
			}
			if (Number.class.isAssignableFrom(type)) {
				return NUMBER;
			}
			if (type == Quantity.class) {
				return QUANTITY;
			}
			if (type == IntOrString.class) {
				return INT_OR_STRING;
			}
			if (type == OffsetDateTime.class) {
				return TIME;
			}
			if (Map.class.isAssignableFrom(type)) {
				return MAP;
			}
			if (Collection.class.isAssignableFrom(type)) {
				return Set.class.isAssignableFrom(type) ? SET : LIST;
			}
			if (type.isArray()) {
				return ARRAY;
			}
			if (JsonElement.class.isAssignableFrom(type) || type == DynamicKubernetesObject.class) {
				return JSON;
			}
			return (ModelClass.isModel(type) && ModelClass.of(type).isAccessible()) ? MODEL : VALUE;
		}

	}

}
