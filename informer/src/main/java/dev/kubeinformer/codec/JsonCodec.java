package dev.kubeinformer.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;

/**
 * The JSON form of one resource, read object by object: a list is never in memory as a
 * whole, and one object that cannot be read costs no other.
 *
 * @param <T> the model class
 */
public final class JsonCodec<T extends KubernetesObject> {

	private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

	private final ResourceType<T> type;

	private final JsonMapper mapper;

	private final ObjectReader reader;

	private final TypeMeta typeMeta;

	/**
	 * Creates a codec.
	 * @param type the resource
	 * @param mappers the mappers, shared by all codecs
	 */
	public JsonCodec(ResourceType<T> type, JsonMappers mappers) {
		this.type = type;
		this.mapper = mappers.forModels();
		this.reader = this.mapper.readerFor(type.objectClass());
		this.typeMeta = new TypeMeta(type);
	}

	/**
	 * Reads a page of a list.
	 * @param body the body of the answer; it is not closed
	 * @param items receives each item
	 * @return what the page says beside its items
	 * @throws MalformedResponseException if the body is not a list of this resource
	 * @throws IOException if the body could not be read
	 */
	public ListHeader readList(InputStream body, Consumer<DecodedObject<T>> items) throws IOException {
		RecordingInputStream recording = new RecordingInputStream(body);
		try (JsonParser parser = this.mapper.createParser(recording)) {
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

	/**
	 * Reads of a list only the version.
	 * @param body the body of the answer; it is not closed
	 * @return the version; empty if it has none
	 * @throws MalformedResponseException if the body is no JSON object
	 * @throws IOException if the body could not be read
	 */
	public String readListVersion(InputStream body) throws IOException {
		try (JsonParser parser = this.mapper.createParser(body)) {
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
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			long start = parser.currentTokenLocation().getByteOffset();
			recording.forgetBefore(start);
			items.accept(readItem(parser, array, recording, start));
		}
	}

	private DecodedObject<T> readItem(JsonParser parser, TokenStreamContext array, RecordingInputStream recording,
			long start) {
		try {
			return decoded(this.reader.readValue(parser));
		}
		catch (JacksonException | StackOverflowError ex) {
			if (DecodeProblem.isOfTheStream(ex)) {
				throw ex;
			}
			return skipItem(parser, array, recording, start, DecodeProblem.describe(ex));
		}
	}

	private DecodedObject<T> skipItem(JsonParser parser, TokenStreamContext array, RecordingInputStream recording,
			long start, String problem) {
		while (parser.streamReadContext() != array) {
			if (parser.nextToken() == null) {
				throw new StreamReadException(parser, "cut off");
			}
		}
		byte[] bytes = recording.bytes(start, parser.currentLocation().getByteOffset());
		return new DecodedObject<>(new MetadataScan(this.mapper).read(bytes).metadata(), null, problem);
	}

	private DecodedObject<T> decoded(@Nullable T object) {
		V1ObjectMeta meta = (object != null) ? object.getMetadata() : null;
		if (object == null || meta == null || meta.getName() == null || meta.getName().isEmpty()) {
			return new DecodedObject<>(new ObjectMetadata("", "", "", ""), null,
					"the field 'metadata.name' is missing");
		}
		this.typeMeta.imply(object);
		return new DecodedObject<>(new ObjectMetadata(Objects.requireNonNullElse(meta.getNamespace(), ""),
				meta.getName(), Objects.requireNonNullElse(meta.getUid(), ""),
				Objects.requireNonNullElse(meta.getResourceVersion(), "")), object, null);
	}

	/**
	 * Reads one event of a watch.
	 * @param line the event
	 * @return the event
	 * @throws MalformedResponseException if it is not an event of this resource
	 */
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
		MetadataScan.Event event = new MetadataScan(this.mapper).readEvent(line);
		try {
			return switch (event.type()) {
				case ADDED, MODIFIED, DELETED -> objectFrame(event, line);
				case BOOKMARK -> {
					MetadataScan.Found found = new MetadataScan(this.mapper).read(event.object(line));
					yield new WatchFrame<>(event.type(), null, found.metadata().resourceVersion(),
							"true".equals(found.annotations().get(INITIAL_EVENTS_END)), null);
				}
				case ERROR -> new WatchFrame<>(event.type(), null, "", false,
						ApiStatusReader.read(this.mapper, event.object(line), 500));
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
		try (JsonParser parser = this.mapper.createParser(line, event.start(), event.end() - event.start())) {
			@Nullable T value = this.reader.readValue(parser);
			if (parser.nextToken() != null) {
				throw new StreamReadException(parser, "more than one object");
			}
			kind = (value != null) ? value.getKind() : null;
			object = decoded(value);
		}
		catch (JacksonException | StackOverflowError ex) {
			if (DecodeProblem.isOfTheStream(ex)) {
				throw ex;
			}
			MetadataScan.Found found = new MetadataScan(this.mapper).read(event.object(line));
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
