package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.json.ShallowJson.Extent;
import dev.kubeinformer.types.WatchEventType;

/**
 * Finds the identity of an object, also within an event. It also finds the object's
 * relations to other objects, such as its owners. It reads token by token, so it works
 * for an object that cannot be decoded completely.
 */
final class MetadataScan {

	private static final List<String> IDENTITY = List.of("namespace", "name", "uid", "resourceVersion",
			"deletionTimestamp");

	private static final List<String> TIES = List.of("finalizers", "ownerReferences");

	private final JsonMappers mappers;

	private String kind = "";

	private String namespace = "";

	private String name = "";

	private String uid = "";

	private String resourceVersion = "";

	private final Map<String, String> annotations = new HashMap<>();

	private final V1ObjectMeta remains = new V1ObjectMeta();

	MetadataScan(JsonMappers mappers) {
		this.mappers = mappers;
	}

	/**
	 * Reads an object.
	 * @param object the object
	 * @return the readable parts of the object; missing parts are empty
	 * @throws MalformedResponseException if the object is cut off
	 */
	Found read(byte[] object) throws MalformedResponseException {
		try {
			return parse(object);
		}
		catch (StreamConstraintsException ex) {
			return readIdentity(object);
		}
	}

	private Found readIdentity(byte[] object) throws MalformedResponseException {
		try {
			return new MetadataScan(this.mappers).parse(identity(object, TIES));
		}
		catch (StreamConstraintsException ex) {
			return new MetadataScan(this.mappers).parse(identity(object, List.of()));
		}
	}

	private static byte[] identity(byte[] object, List<String> ties) throws MalformedResponseException {
		Map<String, Extent> fields = ShallowJson.fields(object, 0, object.length);
		Extent metadata = fields.get("metadata");
		ByteArrayOutputStream identity = new ByteArrayOutputStream();
		identity.writeBytes(utf8("{\"kind\":"));
		writeText(object, fields.get("kind"), identity);
		identity.writeBytes(utf8(",\"metadata\":{"));
		if (metadata != null && object[metadata.start()] == '{') {
			Map<String, Extent> parts = ShallowJson.fields(object, metadata.start(), metadata.end());
			for (String part : IDENTITY) {
				identity.writeBytes(utf8("\"%s\":".formatted(part)));
				writeText(object, parts.get(part), identity);
				identity.write(',');
			}
			for (String tie : ties) {
				identity.writeBytes(utf8("\"%s\":".formatted(tie)));
				write(object, parts.get(tie), '[', identity);
				identity.write(',');
			}
		}
		identity.writeBytes(utf8("\"labels\":null}}"));
		return identity.toByteArray();
	}

	private static void writeText(byte[] object, @Nullable Extent value, ByteArrayOutputStream target) {
		write(object, value, '"', target);
	}

	private static void write(byte[] object, @Nullable Extent value, char first, ByteArrayOutputStream target) {
		if (value != null && object[value.start()] == first) {
			target.write(object, value.start(), value.end() - value.start());
		}
		else {
			target.writeBytes(utf8("null"));
		}
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private Found parse(byte[] object) {
		try (JsonParser parser = this.mappers.parser(object, 0, object.length)) {
			if (parser.nextToken() == JsonToken.START_OBJECT) {
				for (String field = parser.nextName(); field != null; field = parser.nextName()) {
					parser.nextToken();
					if (field.equals("metadata") && parser.hasToken(JsonToken.START_OBJECT)) {
						readMetadata(parser);
					}
					else if (field.equals("kind")) {
						this.kind = text(parser);
					}
					else {
						parser.skipChildren();
					}
				}
			}
		}
		return new Found(this.kind, new ObjectMetadata(this.namespace, this.name, this.uid, this.resourceVersion),
				this.annotations, this.remains);
	}

	private void readMetadata(JsonParser parser) {
		for (String field = parser.nextName(); field != null; field = parser.nextName()) {
			parser.nextToken();
			switch (field) {
				case "namespace" -> this.namespace = text(parser);
				case "name" -> this.name = text(parser);
				case "uid" -> this.uid = text(parser);
				case "resourceVersion" -> this.resourceVersion = text(parser);
				case "annotations" -> readAnnotations(parser);
				case "deletionTimestamp" -> readDeletion(parser);
				case "finalizers" -> readFinalizers(parser);
				case "ownerReferences" -> readOwners(parser);
				default -> parser.skipChildren();
			}
		}
	}

	private void readDeletion(JsonParser parser) {
		String time = text(parser);
		if (!time.isEmpty()) {
			this.remains.setDeletionTimestamp(time(time));
		}
	}

	private static OffsetDateTime time(String text) {
		try {
			return OffsetDateTime.parse(text);
		}
		catch (DateTimeException ex) {
			// Any deletionTimestamp shows that the object is being deleted, even an
			// unreadable one.
			return Instant.EPOCH.atOffset(ZoneOffset.UTC);
		}
	}

	private void readFinalizers(JsonParser parser) {
		if (!parser.hasToken(JsonToken.START_ARRAY)) {
			parser.skipChildren();
			return;
		}
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			// A patch refers to finalizers by their index, so count unreadable ones, too.
			this.remains.addFinalizersItem(text(parser));
		}
	}

	private void readOwners(JsonParser parser) {
		if (!parser.hasToken(JsonToken.START_ARRAY)) {
			parser.skipChildren();
			return;
		}
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			if (parser.hasToken(JsonToken.START_OBJECT)) {
				this.remains.addOwnerReferencesItem(readOwner(parser));
			}
			else {
				parser.skipChildren();
			}
		}
	}

	private V1OwnerReference readOwner(JsonParser parser) {
		V1OwnerReference owner = new V1OwnerReference();
		for (String field = parser.nextName(); field != null; field = parser.nextName()) {
			JsonToken token = parser.nextToken();
			switch (field) {
				case "apiVersion" -> owner.setApiVersion(text(parser));
				case "kind" -> owner.setKind(text(parser));
				case "name" -> owner.setName(text(parser));
				case "uid" -> owner.setUid(text(parser));
				case "controller" -> {
					owner.setController(token == JsonToken.VALUE_TRUE);
					parser.skipChildren();
				}
				default -> parser.skipChildren();
			}
		}
		return owner;
	}

	private void readAnnotations(JsonParser parser) {
		if (parser.hasToken(JsonToken.START_OBJECT)) {
			for (String field = parser.nextName(); field != null; field = parser.nextName()) {
				parser.nextToken();
				this.annotations.put(field, text(parser));
			}
		}
		else {
			parser.skipChildren();
		}
	}

	private String text(JsonParser parser) {
		if (parser.hasToken(JsonToken.VALUE_STRING)) {
			return parser.getString();
		}
		parser.skipChildren();
		return "";
	}

	/**
	 * Finds the type and the object of an event. The two fields may be in any order.
	 * @param line the event
	 * @return the positions
	 * @throws MalformedResponseException if the line is not an event
	 */
	Event readEvent(byte[] line) throws MalformedResponseException {
		@Nullable String type = null;
		int start = -1;
		int end = -1;
		try (JsonParser parser = this.mappers.parser(line, 0, line.length)) {
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				throw new MalformedResponseException("An event of the watch is not a JSON object");
			}
			for (String field = parser.nextName(); field != null; field = parser.nextName()) {
				parser.nextToken();
				if (field.equals("type")) {
					type = text(parser);
				}
				else {
					int valueStart = (int) parser.currentTokenLocation().getByteOffset();
					parser.skipChildren();
					if (field.equals("object")) {
						start = valueStart;
						end = (int) parser.currentLocation().getByteOffset();
					}
				}
			}
		}
		catch (StreamConstraintsException ex) {
			Map<String, Extent> fields = ShallowJson.fields(line, 0, line.length);
			Extent name = fields.get("type");
			Extent object = fields.get("object");
			type = (name != null) ? new String(line, name.start(), name.end() - name.start(), StandardCharsets.UTF_8)
				.replace("\"", "") : null;
			start = (object != null) ? object.start() : -1;
			end = (object != null) ? object.end() : -1;
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("An event of the watch is not JSON", ex);
		}
		if (type == null || start < 0) {
			throw new MalformedResponseException("An event of the watch has no type or no object");
		}
		for (WatchEventType known : WatchEventType.values()) {
			if (known.name().equals(type)) {
				return new Event(known, start, end);
			}
		}
		throw new MalformedResponseException("An event of the watch is of an unknown type");
	}

	/** Readable parts of an object. */
	record Found(String kind, ObjectMetadata metadata, Map<String, String> annotations, V1ObjectMeta remains) {

		<T> DecodedObject<T> unreadable(String problem) {
			return new DecodedObject<>(this.metadata, null, problem, this.remains);
		}

	}

	/** Event in one line: its type, and the position of its object in the line. */
	record Event(WatchEventType type, int start, int end) {

		byte[] object(byte[] line) {
			return Arrays.copyOfRange(line, this.start, this.end);
		}

	}

}
