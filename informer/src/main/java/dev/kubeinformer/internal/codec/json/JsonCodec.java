package dev.kubeinformer.internal.codec.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamReadException;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.model.DynamicObjects;
import dev.kubeinformer.internal.codec.model.MetadataForm;
import dev.kubeinformer.internal.codec.model.TypeMeta;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.WatchEventType;

/**
 * Reads the JSON of one resource, one object at a time: a list is never completely in
 * memory, and an unreadable object does not affect the others.
 *
 * @param <T> the model class
 */
public final class JsonCodec<T extends KubernetesObject> implements ResourceCodec<T> {

	private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

	private final ResourceType<T> type;

	private final JsonMappers mappers;

	/** Form of the metadata if only metadata is read; {@code null} otherwise. */
	private final @Nullable MetadataForm form;

	/**
	 * Reader of the model; created for the first object that arrives as JSON.
	 */
	private @Nullable JsonValue model;

	private final KnownValues known;

	private final TypeMeta typeMeta;

	/** Kind of the objects; empty while it is unknown. */
	private String kind;

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
	 * @param known finds equal values that were read before
	 */
	public JsonCodec(ResourceType<T> type, JsonMappers mappers, KnownValues known) {
		this.type = type;
		this.mappers = mappers;
		this.known = known;
		this.typeMeta = new TypeMeta(type);
		this.kind = type.kind();
		this.form = type.isMetadata() ? new MetadataForm(type) : null;
	}

	@Override
	public void discovered(String kind) {
		this.kind = kind;
		this.typeMeta.kind(kind);
		if (this.form != null) {
			this.form.kind(kind);
		}
	}

	@Override
	public void observeMetadata(Consumer<MetadataMode> observer) {
		if (this.form != null) {
			this.form.observe(observer);
		}
	}

	private JsonValue model() {
		JsonValue found = this.model;
		if (found == null) {
			found = newModel();
			this.model = found;
		}
		return found;
	}

	private JsonValue newModel() {
		if (this.form != null) {
			return new MetadataValue(this.form, this.mappers.models().value(V1ObjectMeta.class));
		}
		return this.type.isDynamic() ? new DynamicObject(this.mappers.keepsManagedFields())
				: this.mappers.models().value(this.type.objectClass());
	}

	@Override
	public ListHeader readList(InputStream body, ListItems<T> items) throws IOException {
		try (JsonList<T> list = new JsonList<>(this.mappers, body, new ListForm(items))) {
			return list.read();
		}
		catch (JacksonIOException ex) {
			throw ex.getCause();
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException(
					"The list of '%s' is not JSON or was cut off".formatted(this.type.name()), ex);
		}
	}

	private boolean isListKind(String kind) {
		boolean partial = this.form != null && MetadataForm.isPartialList(kind);
		boolean list = partial || isWholeListKind(kind);
		if (this.form != null && list) {
			this.form.seen(partial);
		}
		return list;
	}

	private boolean isWholeListKind(String kind) {
		// The definition of a custom resource may give its list any kind.
		boolean custom = this.type.isDynamic()
				|| this.type.describedClass().isAnnotationPresent(KubernetesResource.class);
		boolean list = kind.equals(this.kind + "List")
				|| (custom && kind.endsWith("List") && !kind.equals("PartialObjectMetadataList"));
		if (list && this.kind.isEmpty()) {
			// Derive the kind of the items from the list, because only the items of
			// custom resources contain it.
			String objects = kind.substring(0, kind.length() - "List".length());
			this.typeMeta.kind(objects);
			if (this.form != null) {
				this.form.kind(objects);
			}
		}
		return list;
	}

	@Override
	public String readListVersion(InputStream body) throws IOException {
		// A server may send everything at once, so the limit applies to each object.
		RecordingInputStream recording = new RecordingInputStream(body, this.mappers.largestObject());
		try (JsonParser parser = this.mappers.parser(recording)) {
			ListHeader header = new ListHeader("", "");
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				throw notAList("it is not a JSON object");
			}
			for (String field = parser.nextName(); field != null; field = parser.nextName()) {
				JsonToken value = parser.nextToken();
				recording.forgetBefore(parser.currentTokenLocation().getByteOffset());
				if (field.equals("metadata")) {
					header = JsonList.readMetadata(parser);
				}
				else if (value == JsonToken.START_ARRAY) {
					skipItems(parser, recording);
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

	private static void skipItems(JsonParser parser, RecordingInputStream recording) {
		for (JsonToken token = parser.nextToken(); token != null
				&& token != JsonToken.END_ARRAY; token = parser.nextToken()) {
			recording.forgetBefore(parser.currentTokenLocation().getByteOffset());
			parser.skipChildren();
		}
	}

	private @Nullable T readObject(JsonReader reader) {
		return this.type.objectClass().cast(reader.readObject(model()));
	}

	@Override
	public WatchFrame<T> readEvent(byte[] line) throws MalformedResponseException {
		MetadataScan.Event usual = UsualEvent.find(line);
		if (usual != null) {
			try {
				return objectFrame(usual, line);
			}
			catch (StreamReadException ex) {
				// The bytes only looked like the usual form; parse the event below.
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

	@Override
	public @Nullable WatchFrame<T> readForeign(byte[] line, ShardFilter shard) {
		MetadataScan.Event usual = UsualEvent.find(line);
		if (usual == null) {
			return null;
		}
		JsonIdentityScan object = new JsonIdentityScan();
		// Do not check the bytes after the identity, because the object is dropped.
		boolean foreign = object.identify(line, usual.start(), usual.end()) && shard.isForeign(object.identity());
		return foreign ? WatchFrame.foreign(usual.type(), object.identity().toMetadata()) : null;
	}

	@Override
	public boolean addsKnown(byte[] line, KnownObjects known) {
		MetadataScan.Event usual = UsualEvent.find(line);
		if (usual == null || usual.type() != WatchEventType.ADDED) {
			return false;
		}
		JsonIdentityScan object = new JsonIdentityScan();
		return object.scan(line, usual.start(), usual.end()) == usual.end() && known.include(object.identity());
	}

	private WatchFrame<T> objectFrame(MetadataScan.Event event, byte[] line) throws MalformedResponseException {
		DecodedObject<T> object;
		@Nullable String kind;
		try (JsonParser parser = this.mappers.objectParser(line, event.start(), event.end())) {
			parser.nextToken();
			@Nullable T value = readObject(new JsonReader(parser, this.known));
			if (parser.nextToken() != null) {
				throw new StreamReadException(parser, "more than one object");
			}
			kind = (value != null) ? kind(value) : null;
			object = this.typeMeta.identify(value);
		}
		catch (FieldMismatchException | JacksonException | StackOverflowError ex) {
			if (DecodeProblem.isOfTheStream(ex)) {
				throw ex;
			}
			MetadataScan.Found found = new MetadataScan(this.mappers).read(event.object(line));
			kind = found.kind();
			object = found.unreadable(DecodeProblem.describe(ex));
		}
		boolean partial = this.form != null && kind != null && MetadataForm.isPartial(kind);
		if (kind != null && !kind.isEmpty() && !partial && !this.kind.isEmpty() && !kind.equals(this.kind)) {
			throw new MalformedResponseException(
					"An object of kind '%s' came in the watch on '%s'".formatted(kind, this.type.name()));
		}
		if (this.form != null) {
			this.form.seen(partial);
		}
		return new WatchFrame<>(event.type(), object, object.metadata().resourceVersion(), false, null);
	}

	private @Nullable String kind(T value) {
		if (this.model instanceof MetadataValue metadata) {
			return metadata.kind();
		}
		return this.type.isDynamic() ? DynamicObjects.kind(value) : value.getKind();
	}

	private MalformedResponseException notAList(String why) {
		return new MalformedResponseException(
				"The response is not a list of '%s': %s".formatted(this.type.name(), why));
	}

	/** Passes the items of a list to a receiver. */
	private final class ListForm implements JsonList.Form<T> {

		private final ListItems<T> items;

		ListForm(ListItems<T> items) {
			this.items = items;
		}

		@Override
		public boolean isKind(String kind) {
			return isListKind(kind);
		}

		@Override
		public JsonReader reader(JsonParser parser) {
			return new JsonReader(parser, JsonCodec.this.known);
		}

		@Override
		public DecodedObject<T> read(JsonReader reader) {
			return JsonCodec.this.typeMeta.identify(readObject(reader));
		}

		@Override
		public void accept(DecodedObject<T> item) {
			this.items.accept(item);
		}

		@Override
		public @Nullable KnownObjects known() {
			return this.items.known();
		}

		@Override
		public MalformedResponseException notAList(String why) {
			return JsonCodec.this.notAList(why);
		}

	}

}
