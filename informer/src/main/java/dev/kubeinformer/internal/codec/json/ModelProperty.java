package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Field;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

import dev.kubeinformer.internal.codec.model.ModelClass;

/**
 * A field of a model by its names in JSON.
 */
final class ModelProperty {

	private final Field field;

	private final int index;

	private final ModelTypes types;

	private final JsonModels models;

	/** Found when it is needed: most fields of most models never are. */
	private volatile @Nullable JsonValue value;

	/**
	 * Creates a property.
	 * @param field the field
	 * @param index its place among the fields of the class
	 * @param types what the type variables of the class stand for
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
			// It names the field, not the value.
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
