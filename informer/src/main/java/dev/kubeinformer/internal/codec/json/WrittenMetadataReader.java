package dev.kubeinformer.internal.codec.json;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import dev.kubeinformer.internal.codec.pool.KnownValues;

/** Reads the metadata in the response to a write. */
final class WrittenMetadataReader {

	private WrittenMetadataReader() {
	}

	static @Nullable WrittenMetadata read(JsonParser parser) {
		if (parser.nextToken() != JsonToken.START_OBJECT) {
			return null;
		}
		String apiVersion = "";
		String kind = "";
		V1ObjectMeta metadata = new V1ObjectMeta();
		for (String field = parser.nextName(); field != null; field = parser.nextName()) {
			parser.nextToken();
			switch (field) {
				case "apiVersion" -> apiVersion = String.valueOf(text(parser));
				case "kind" -> kind = String.valueOf(text(parser));
				// The details of a status contain the name and the UID of the object.
				case "metadata", "details" -> readMetadata(parser, metadata);
				default -> parser.skipChildren();
			}
		}
		return new WrittenMetadata(apiVersion, kind, metadata);
	}

	private static void readMetadata(JsonParser parser, V1ObjectMeta metadata) {
		if (!parser.hasToken(JsonToken.START_OBJECT)) {
			parser.skipChildren();
			return;
		}
		for (String field = parser.nextName(); field != null; field = parser.nextName()) {
			parser.nextToken();
			switch (field) {
				case "namespace" -> metadata.setNamespace(text(parser));
				case "name" -> metadata.setName(text(parser));
				case "uid" -> metadata.setUid(text(parser));
				case "resourceVersion" -> metadata.setResourceVersion(text(parser));
				case "deletionTimestamp" -> readDeletion(parser, metadata);
				case "labels" -> metadata.setLabels(labels(parser));
				default -> parser.skipChildren();
			}
		}
	}

	private static void readDeletion(JsonParser parser, V1ObjectMeta metadata) {
		String text = text(parser);
		if (text != null) {
			metadata.setDeletionTimestamp(JsonTexts.time(text, new KnownValues(64)));
		}
	}

	private static @Nullable Map<String, String> labels(JsonParser parser) {
		if (!parser.hasToken(JsonToken.START_OBJECT)) {
			parser.skipChildren();
			return null;
		}
		Map<String, String> labels = new LinkedHashMap<>();
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			parser.nextToken();
			String value = text(parser);
			labels.put(name, (value != null) ? value : "");
		}
		return labels;
	}

	private static @Nullable String text(JsonParser parser) {
		if (parser.hasToken(JsonToken.VALUE_STRING)) {
			return parser.getString();
		}
		parser.skipChildren();
		return null;
	}

}
