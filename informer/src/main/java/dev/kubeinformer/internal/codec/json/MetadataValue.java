package dev.kubeinformer.internal.codec.json;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import dev.kubeinformer.internal.codec.model.MetadataForm;
import dev.kubeinformer.resource.Metadata;

/** Reads the metadata of objects, and skips the rest without creating values. */
final class MetadataValue extends JsonValue {

	private final MetadataForm form;

	private final JsonValue metadata;

	private String kind = "";

	/**
	 * Creates a reader.
	 * @param form creates the objects from their metadata
	 * @param metadata the reader of the metadata
	 */
	MetadataValue(MetadataForm form, JsonValue metadata) {
		this.form = form;
		this.metadata = metadata;
	}

	@Override
	@Nullable Object read(JsonReader reader) {
		reader.begin(JsonToken.START_OBJECT, Metadata.class);
		JsonParser parser = reader.parser();
		this.kind = "";
		V1ObjectMeta found = null;
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			JsonToken token = parser.nextToken();
			if (name.equals("kind") && token == JsonToken.VALUE_STRING) {
				this.kind = reader.readString();
			}
			else if (name.equals("metadata") && token != JsonToken.VALUE_NULL) {
				found = (V1ObjectMeta) this.metadata.read(reader);
			}
			else {
				parser.skipChildren();
			}
		}
		return this.form.object(this.kind, found);
	}

	/**
	 * Returns the kind that was in the JSON of the last object.
	 * @return the kind; empty if there was none
	 */
	String kind() {
		return this.kind;
	}

}
