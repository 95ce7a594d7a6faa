package dev.kubeinformer.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamReadException;

import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;

/**
 * The JSON form of one resource, read object by object: a list is never in memory as a
 * whole, and one object that cannot be read costs no other.
 *
 * @param <T> the model class
 */
public final class JsonCodec<T extends KubernetesObject> implements ResourceCodec<T> {

	private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

	private final ResourceType<T> type;

	private final JsonMappers mappers;

	/** {@code null} if the class is not like the official ones. */
	private final @Nullable JsonValue model;

	private final KnownValues known;

	private final TypeMeta typeMeta;

	/**
	 * Creates a codec.
	 * @param type the resource
	 * @param mappers the mappers, shared by all codecs
	 */
	public JsonCodec(ResourceType<T> type, JsonMappers mappers) {
		this(type, mappers, new KnownValues());
	}

	/**
	 * Creates a codec.
	 * @param type the resource
	 * @param mappers the mappers, shared by all codecs
	 * @param known finds values that were there before
	 */
	public JsonCodec(ResourceType<T> type, JsonMappers mappers, KnownValues known) {
		this.type = type;
		this.mappers = mappers;
		this.known = known;
		this.model = mappers.models().find(type.objectClass());
		this.typeMeta = new TypeMeta(type);
	}

	@Override
	public ListHeader readList(InputStream body, Consumer<DecodedObject<T>> items) throws IOException {
		RecordingInputStream recording = new RecordingInputStream(body);
		try (JsonParser parser = this.mappers.parser(recording)) {
			return readList(parser, recording, items);
		}
		catch (JacksonIOException ex) {
			throw ex.getCause();
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException(
					"The list of '%s' is not JSON or was cut off".formatted(this.type.name()), ex);
		}
	}

	private ListHeader readList(JsonParser parser, RecordingInputStream recording, Consumer<DecodedObject<T>> items)
			throws IOException {
		if (parser.nextToken() != JsonToken.START_OBJECT) {
			throw notAList("it is no JSON object");
		}
		ListHeader header = new ListHeader("", "");
		boolean itemsSeen = false;
		for (String field = parser.nextName(); field != null; field = parser.nextName()) {
			JsonToken value = parser.nextToken();
			switch (field) {
				case "kind" -> {
					String kind = parser.getValueAsString("");
					if (!isListKind(kind)) {
						throw notAList("its kind is '%s'".formatted(kind));
					}
				}
				case "metadata" -> header = readListMetadata(parser);
				case "items" -> {
					itemsSeen = true;
					if (value == JsonToken.START_ARRAY) {
						readItems(parser, recording, items);
					}
					else if (value != JsonToken.VALUE_NULL) {
						throw notAList("its items are no array");
					}
				}
				default -> parser.skipChildren();
			}
		}
		if (!itemsSeen || !parser.hasToken(JsonToken.END_OBJECT)) {
			throw notAList(itemsSeen ? "it is cut off" : "it has no items");
		}
		return header;
	}

	private boolean isListKind(String kind) {
		// The kind of a custom list is whatever its definition says.
		boolean custom = this.type.objectClass().isAnnotationPresent(KubernetesResource.class);
		return kind.equals(this.type.kind() + "List")
				|| (custom && kind.endsWith("List") && !kind.equals("PartialObjectMetadataList"));
	}

	@Override
	public String readListVersion(InputStream body) throws IOException {
		try (JsonParser parser = this.mappers.parser(body)) {
			ListHeader header = new ListHeader("", "");
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				throw notAList("it is no JSON object");
			}
			for (String field = parser.nextName(); field != null; field = parser.nextName()) {
				parser.nextToken();
				if (field.equals("metadata")) {
					header = readListMetadata(parser);
				}
				else {
					parser.skipChildren();
				}
			}
			return header.resourceVersion();
		}
		catch (JacksonIOException ex) {
			throw ex.getCause();
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException(
					"The list of '%s' is not JSON or was cut off".formatted(this.type.name()), ex);
		}
	}

	private ListHeader readListMetadata(JsonParser parser) {
		String resourceVersion = "";
		String continueToken = "";
		if (parser.hasToken(JsonToken.START_OBJECT)) {
			for (String field = parser.nextName(); field != null; field = parser.nextName()) {
				parser.nextToken();
				switch (field) {
					case "resourceVersion" -> resourceVersion = parser.getValueAsString("");
					case "continue" -> continueToken = parser.getValueAsString("");
					default -> parser.skipChildren();
				}
			}
		}
		return new ListHeader(resourceVersion, continueToken);
	}

	private void readItems(JsonParser parser, RecordingInputStream recording, Consumer<DecodedObject<T>> items) {
		TokenStreamContext array = parser.streamReadContext();
		JsonReader reader = new JsonReader(parser, this.known);
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			long start = parser.currentTokenLocation().getByteOffset();
			recording.forgetBefore(start);
			items.accept(readItem(reader, array, recording, start));
		}
	}

	private DecodedObject<T> readItem(JsonReader reader, TokenStreamContext array, RecordingInputStream recording,
			long start) {
		try {
			return this.typeMeta.identify(readObject(reader));
		}
		catch (FieldMismatchException | JacksonException | StackOverflowError ex) {
			if (DecodeProblem.isOfTheStream(ex)) {
				throw ex;
			}
			return skipItem(reader.parser(), array, recording, start, DecodeProblem.describe(ex));
		}
	}

	private @Nullable T readObject(JsonReader reader) {
		if (this.model == null) {
			return this.mappers.mapper()
				.readerFor(this.type.objectClass())
				.withAttribute(KnownValues.class, this.known)
				.readValue(reader.parser());
		}
		return this.type.objectClass().cast(reader.readObject(this.model));
	}

	private DecodedObject<T> skipItem(JsonParser parser, TokenStreamContext array, RecordingInputStream recording,
			long start, String problem) {
		while (parser.streamReadContext() != array) {
			if (parser.nextToken() == null) {
				throw new StreamReadException(parser, "cut off");
			}
		}
		byte[] bytes = recording.bytes(start, parser.currentLocation().getByteOffset());
		return new DecodedObject<>(new MetadataScan(this.mappers).read(bytes).metadata(), null, problem);
	}

	@Override
	public WatchFrame<T> readEvent(byte[] line) throws MalformedResponseException {
		MetadataScan.Event usual = UsualEvent.find(line);
		if (usual != null) {
			try {
				return objectFrame(usual, line);
			}
			catch (StreamReadException ex) {
				// It only looked like a usual event; below it is read with more care.
			}
		}
		MetadataScan.Event event = new MetadataScan(this.mappers).readEvent(line);
		try {
			return switch (event.type()) {
				case ADDED, MODIFIED, DELETED -> objectFrame(event, line);
				case BOOKMARK -> {
					MetadataScan.Found found = new MetadataScan(this.mappers).read(event.object(line));
					yield new WatchFrame<>(event.type(), null, found.metadata().resourceVersion(),
							"true".equals(found.annotations().get(INITIAL_EVENTS_END)), null);
				}
				case ERROR -> new WatchFrame<>(event.type(), null, "", false,
						ApiStatusReader.read(this.mappers, event.object(line), 500));
			};
		}
		catch (StreamReadException ex) {
			throw new MalformedResponseException(
					"An event of the watch on '%s' is not JSON".formatted(this.type.name()), ex);
		}
	}

	private WatchFrame<T> objectFrame(MetadataScan.Event event, byte[] line) throws MalformedResponseException {
		DecodedObject<T> object;
		@Nullable String kind;
		try (JsonParser parser = this.mappers.parser(line, event.start(), event.end() - event.start())) {
			parser.nextToken();
			@Nullable T value = readObject(new JsonReader(parser, this.known));
			if (parser.nextToken() != null) {
				throw new StreamReadException(parser, "more than one object");
			}
			kind = (value != null) ? value.getKind() : null;
			object = this.typeMeta.identify(value);
		}
		catch (FieldMismatchException | JacksonException | StackOverflowError ex) {
			if (DecodeProblem.isOfTheStream(ex)) {
				throw ex;
			}
			MetadataScan.Found found = new MetadataScan(this.mappers).read(event.object(line));
			kind = found.kind();
			object = new DecodedObject<>(found.metadata(), null, DecodeProblem.describe(ex));
		}
		if (kind != null && !kind.isEmpty() && !kind.equals(this.type.kind())) {
			throw new MalformedResponseException(
					"An object of kind '%s' came in the watch on '%s'".formatted(kind, this.type.name()));
		}
		return new WatchFrame<>(event.type(), object, object.metadata().resourceVersion(), false, null);
	}

	private MalformedResponseException notAList(String why) {
		return new MalformedResponseException("The answer is not a list of '%s': %s".formatted(this.type.name(), why));
	}

}
