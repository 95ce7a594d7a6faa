package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Field;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

import dev.kubeinformer.internal.codec.model.ModelClass;

/** Field of a model under one of its JSON names. */
final class ModelProperty {

	private final Field field;

	private final int index;

	private final ModelTypes types;

	private final JsonModels models;

	/**
	 * Reader of the values; created on demand, because most fields of most models never
	 * occur.
	 */
	private volatile @Nullable JsonValue value;

	/**
	 * Creates a property.
	 * @param field the field
	 * @param index the position among the fields of the class
	 * @param types the types that replace the type variables of the class
	 * @param models the settings
	 */
	ModelProperty(Field field, int index, ModelTypes types, JsonModels models) {
		this.field = field;
		this.index = index;
		this.types = types;
		this.models = models;
	}

	String name() {
		return JsonModel.names(this.field).get(0);
	}

	int index() {
		return this.index;
	}

	void read(JsonReader reader, Object model) {
		Object value = read(reader);
		try {
			ModelClass.set(this.field, model, value);
		}
		catch (IllegalArgumentException ex) {
			// The message names the field and does not contain the value.
			throw reader.mismatch(this.field.getType(), Objects.requireNonNullElse(ex.getMessage(), ""));
		}
	}

	@Nullable Object read(JsonReader reader) {
		JsonValue known = this.value;
		if (known == null) {
			known = this.models.value(this.field, this.types.resolve(this.field.getGenericType()));
			this.value = known;
		}
		return reader.parser().hasToken(JsonToken.VALUE_NULL) ? known.readNull(reader) : known.read(reader);
	}

}
