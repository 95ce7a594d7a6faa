package dev.kubeinformer.codec;

import java.lang.reflect.Field;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * A field of a model by its name in JSON.
 */
final class ModelProperty {

	private final String name;

	private final Field field;

	private final JsonModels models;

	/** Found when it is needed: most fields of most models never are. */
	private volatile @Nullable JsonValue value;

	ModelProperty(String name, Field field, JsonModels models) {
		this.name = name;
		this.field = field;
		this.models = models;
	}

	String name() {
		return this.name;
	}

	void read(JsonReader reader, Object model) {
		JsonValue known = this.value;
		if (known == null) {
			known = this.models.value(this.field.getGenericType());
			this.value = known;
		}
		ModelClass.set(this.field, model, reader.parser().hasToken(JsonToken.VALUE_NULL) ? null : known.read(reader));
	}

}
