package dev.kubeinformer.internal.codec.protobuf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.model.MetadataForm;
import dev.kubeinformer.internal.codec.model.TypeMeta;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.WatchEventType;

/**
 * Reads one built-in resource from protobuf, object by object while the bytes arrive.
 *
 * @param <T> the model class
 */
public final class ProtobufCodec<T extends KubernetesObject> implements ResourceCodec<T> {

	private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

	private static final List<WatchEventType> OF_OBJECTS = List.of(WatchEventType.ADDED, WatchEventType.MODIFIED,
			WatchEventType.DELETED);

	/** Number of the metadata field, which is the same for every list. */
	private static final int METADATA = 1;

	private static final int ITEMS = 2;

	private final ResourceType<T> type;

	private final ObjectDecoder<T> decoder;

	private final TypeMeta typeMeta;

	private final ResourceCodec<T> json;

	private final int largestObject;

	private final @Nullable ProtobufReader reader;

	/** Form of the metadata if only metadata is read; {@code null} otherwise. */
	private final @Nullable MetadataForm form;

	private Consumer<String> onMissingModels = (why) -> {
	};

	/** Kind of the objects; empty while it is unknown. */
	private String kind;

	/**
	 * Creates a codec.
	 * @param type the resource
	 * @param decoder the decoder of an object
	 * @param reader the reader of all objects, which only this codec uses
	 * @param json reads objects that arrive as JSON inside of protobuf
	 */
	public ProtobufCodec(ResourceType<T> type, MessageDecoder<T> decoder, ProtobufReader reader,
			ResourceCodec<T> json) {
		this(type, (bytes, from, to) -> reader.read(decoder, bytes, from, to), json, reader.mappers().largestObject(),
				reader, null);
	}

	ProtobufCodec(ResourceType<T> type, ObjectDecoder<T> decoder, ResourceCodec<T> json, int largestObject) {
		this(type, decoder, json, largestObject, null, null);
	}

	/**
	 * Creates a codec for a resource of which only metadata is requested. The API server
	 * sends metadata as protobuf even if it does not send complete objects of the
	 * resource in this encoding.
	 * @param <T> the class of the metadata
	 * @param type the metadata form of a resource
	 * @param reader the reader of all objects, which only this codec uses
	 * @param json reads objects that arrive as JSON inside of protobuf
	 * @return the codec
	 */
	public static <T extends KubernetesObject> ProtobufCodec<T> ofMetadata(ResourceType<T> type, ProtobufReader reader,
			ResourceCodec<T> json) {
		MetadataForm form = new MetadataForm(type);
		MetadataDecoder decoder = new MetadataDecoder(form);
		return new ProtobufCodec<>(type,
				(bytes, from, to) -> type.objectClass().cast(reader.read(decoder, bytes, from, to)), json,
				reader.mappers().largestObject(), reader, form);
	}

	private ProtobufCodec(ResourceType<T> type, ObjectDecoder<T> decoder, ResourceCodec<T> json, int largestObject,
			@Nullable ProtobufReader reader, @Nullable MetadataForm form) {
		this.largestObject = largestObject;
		this.type = type;
		this.decoder = decoder;
		this.typeMeta = new TypeMeta(type);
		this.json = json;
		this.reader = reader;
		this.form = form;
		this.kind = type.kind();
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

	@Override
	public void observeMissingModels(Consumer<String> observer) {
		this.onMissingModels = observer;
	}

	private boolean isListKind(String kind) {
		boolean partial = this.form != null && MetadataForm.isPartialList(kind);
		boolean list = partial || (!this.kind.isEmpty() && kind.equals(this.kind + "List"));
		if (this.form != null && list) {
			this.form.seen(partial);
		}
		return list;
	}

	private boolean isKind(String kind) {
		return (!this.kind.isEmpty() && kind.equals(this.kind)) || (this.form != null && MetadataForm.isPartial(kind));
	}

	@Override
	public ListHeader readList(InputStream body, ListItems<T> items) throws IOException {
		try {
			if (this.reader != null) {
				this.reader.listing();
			}
			ListHeader header = readList(new WireInput(body, this.largestObject), items);
			if (this.reader != null && header.continueToken().isEmpty()) {
				this.reader.listed();
			}
			return header;
		}
		catch (MalformedMessageException ex) {
			throw cutOff(ex);
		}
	}

	@Override
	public String readListVersion(InputStream body) throws IOException {
		try {
			return readList(new WireInput(body, this.largestObject), null).resourceVersion();
		}
		catch (MalformedMessageException ex) {
			throw cutOff(ex);
		}
	}

	private MalformedResponseException cutOff(MalformedMessageException cause) {
		return new MalformedProtobufException(
				"The list of '%s' is not protobuf or was cut off".formatted(this.type.name()), cause);
	}

	private ListHeader readList(WireInput input, @Nullable ListItems<T> items)
			throws MalformedMessageException, IOException {
		if (!input.has(Envelope.length())
				|| !Envelope.isAt(input.bytes(), input.start(), input.start() + Envelope.length())) {
			throw notAList("it is not in an envelope of Kubernetes");
		}
		input.advance(Envelope.length());
		String listKind = "";
		@Nullable ListHeader header = null;
		while (input.hasNext()) {
			long tag = input.varint();
			if (tag == bytes(Envelope.TYPE_META)) {
				long length = input.varint();
				listKind = Envelope.kind(input.message(length));
				input.advance((int) length);
			}
			else if (tag == bytes(Envelope.RAW)) {
				if (items != null && !isListKind(listKind)) {
					throw notAList("its kind is '%s'".formatted(listKind));
				}
				header = readRaw(input, items);
			}
			else if (tag == bytes(Envelope.CONTENT_ENCODING)) {
				long length = input.varint();
				if (length != 0) {
					throw notAList("it is compressed in its envelope");
				}
			}
			else {
				input.skipValue(tag);
			}
		}
		if (header == null) {
			throw notAList("it has no items");
		}
		return header;
	}

	private ListHeader readRaw(WireInput input, @Nullable ListItems<T> items)
			throws MalformedMessageException, IOException {
		long length = input.varint();
		long end = input.position() + length;
		if (end < input.position()) {
			throw new MalformedMessageException("a list has no length");
		}
		KnownObjects known = (items != null) ? items.known() : null;
		ProtobufIdentityScan identities = new ProtobufIdentityScan();
		ListHeader header = new ListHeader("", "");
		while (input.position() < end) {
			long tag = input.varint();
			if (tag == bytes(METADATA)) {
				int size = size(input, end);
				header = readListMetadata(input.message(size));
				input.advance(size);
			}
			else if (tag == bytes(ITEMS) && items != null) {
				int size = size(input, end);
				input.require(size);
				int from = input.start();
				if (known == null || !identities.isKnown(input.bytes(), from, from + size, known)) {
					DecodedObject<T> item = decoded(input.bytes(), from, from + size);
					input.advance(size);
					items.accept(item);
				}
				else {
					input.advance(size);
				}
			}
			else {
				input.skipValue(tag);
			}
		}
		if (input.position() > end) {
			throw new MalformedMessageException("a field is longer than its message");
		}
		return header;
	}

	private static int size(WireInput input, long end) throws MalformedMessageException, IOException {
		long size = input.varint();
		if (size < 0 || size > end - input.position() || size > Integer.MAX_VALUE) {
			throw new MalformedMessageException("a field is longer than its message");
		}
		return (int) size;
	}

	private static long bytes(int field) {
		return (long) field << 3 | MessageCursor.BYTES;
	}

	private static ListHeader readListMetadata(WireFields metadata) throws MalformedMessageException {
		String resourceVersion = "";
		String continueToken = "";
		String shardSelector = "";
		while (metadata.next()) {
			if (metadata.isBytes(2)) {
				resourceVersion = metadata.text();
			}
			else if (metadata.isBytes(3)) {
				continueToken = metadata.text();
			}
			else if (metadata.isBytes(5)) {
				WireFields shardInfo = metadata.message();
				while (shardInfo.next()) {
					shardSelector = shardInfo.isBytes(1) ? shardInfo.text() : shardSelector;
				}
			}
		}
		return new ListHeader(resourceVersion, continueToken, shardSelector);
	}

	private DecodedObject<T> decoded(byte[] bytes, int from, int to) throws MalformedProtobufException {
		try {
			return this.typeMeta.identify(this.decoder.decode(bytes, from, to));
		}
		catch (MalformedResponseException ex) {
			return unreadable(bytes, from, to, String.valueOf(ex.getMessage()));
		}
		catch (StackOverflowError ex) {
			return unreadable(bytes, from, to, "it is nested too deeply");
		}
		catch (LinkageError ex) {
			// Decoders require the models of one version of client-java; JSON works with
			// any version.
			String why = "the models of client-java on the class path are not those of the decoder of protobuf (%s)"
				.formatted(ex.getMessage());
			this.onMissingModels.accept(why);
			throw new MalformedProtobufException(why, ex);
		}
		catch (RuntimeException ex) {
			return unreadable(bytes, from, to, "it cannot be read because of " + ex.getClass().getName());
		}
	}

	private DecodedObject<T> unreadable(byte[] bytes, int from, int to, String problem) {
		return ObjectScan.of(bytes, from, to).unreadable(problem);
	}

	@Override
	public WatchFrame<T> readEvent(byte[] event) throws MalformedResponseException {
		try {
			return readEvent(event, WatchMessage.of(event));
		}
		catch (MalformedMessageException ex) {
			throw new MalformedProtobufException(
					"An event of the watch on '%s' is not protobuf".formatted(this.type.name()), ex);
		}
	}

	private WatchFrame<T> readEvent(byte[] event, WatchMessage message) throws MalformedResponseException {
		String name = message.type();
		int from = message.from();
		int to = message.to();
		if (name == null || from < 0) {
			throw new MalformedProtobufException("An event of the watch has no type or no object");
		}
		WatchEventType eventType = eventType(name);
		if (from < to && event[from] == '{') {
			return jsonFrame(eventType, event, from, to);
		}
		Envelope envelope = Envelope.open(event, from, to);
		if (envelope.contentType().startsWith("application/json")) {
			return jsonFrame(eventType, event, envelope.from(), envelope.to());
		}
		return frame(eventType, event, envelope);
	}

	@Override
	public @Nullable WatchFrame<T> readForeign(byte[] event, ShardFilter shard) {
		try {
			WatchMessage message = WatchMessage.of(event);
			ObjectIdentity identity = identity(event, message);
			if (identity != null && shard.isForeign(identity)) {
				for (WatchEventType type : OF_OBJECTS) {
					if (message.isOf(type)) {
						return WatchFrame.foreign(type, identity.toMetadata());
					}
				}
			}
			return null;
		}
		catch (MalformedMessageException ex) {
			return null;
		}
	}

	@Override
	public boolean addsKnown(byte[] event, KnownObjects known) {
		try {
			WatchMessage message = WatchMessage.of(event);
			ObjectIdentity identity = message.isOf(WatchEventType.ADDED) ? identity(event, message) : null;
			return identity != null && known.include(identity);
		}
		catch (MalformedMessageException ex) {
			return false;
		}
	}

	private @Nullable ObjectIdentity identity(byte[] event, WatchMessage message) throws MalformedMessageException {
		if (message.from() < 0 || !Envelope.isAt(event, message.from(), message.to())) {
			return null;
		}
		Envelope envelope = Envelope.open(event, message.from(), message.to());
		boolean plain = isKind(envelope.kind()) && !envelope.contentType().startsWith("application/json");
		return plain ? new ProtobufIdentityScan().read(event, envelope.from(), envelope.to()) : null;
	}

	private static WatchEventType eventType(String name) throws MalformedResponseException {
		for (WatchEventType known : WatchEventType.values()) {
			if (known.name().equals(name)) {
				return known;
			}
		}
		throw new MalformedProtobufException("An event of the watch is of an unknown type");
	}

	private WatchFrame<T> frame(WatchEventType eventType, byte[] event, Envelope envelope)
			throws MalformedResponseException {
		return switch (eventType) {
			case ADDED, MODIFIED, DELETED -> objectFrame(eventType, event, envelope);
			case BOOKMARK -> {
				ObjectScan scan = ObjectScan.of(event, envelope.from(), envelope.to());
				yield new WatchFrame<>(eventType, null, scan.metadata().resourceVersion(),
						"true".equals(scan.annotations().get(INITIAL_EVENTS_END)), null);
			}
			case ERROR -> new WatchFrame<>(eventType, null, "", false, ProtobufStatus.read(event, envelope, 500));
		};
	}

	private WatchFrame<T> objectFrame(WatchEventType eventType, byte[] event, Envelope envelope)
			throws MalformedResponseException {
		if (!isKind(envelope.kind())) {
			throw new MalformedProtobufException(
					"An object of kind '%s' came in the watch on '%s'".formatted(envelope.kind(), this.type.name()));
		}
		if (this.form != null) {
			this.form.seen(MetadataForm.isPartial(envelope.kind()));
		}
		DecodedObject<T> object = decoded(event, envelope.from(), envelope.to());
		return new WatchFrame<>(eventType, object, object.metadata().resourceVersion(), false, null);
	}

	// An aggregated API server may store an object only in the encoding in which it was
	// written.
	private WatchFrame<T> jsonFrame(WatchEventType eventType, byte[] event, int from, int to)
			throws MalformedResponseException {
		ByteArrayOutputStream line = new ByteArrayOutputStream(to - from + 64);
		line.writeBytes("{\"type\":\"%s\",\"object\":".formatted(eventType).getBytes(StandardCharsets.UTF_8));
		line.write(event, from, to - from);
		line.write('}');
		return this.json.readEvent(line.toByteArray());
	}

	@Override
	public boolean sharesParts() {
		return this.reader != null && this.reader.sharesParts();
	}

	@Override
	public void forgetParts() {
		if (this.reader != null) {
			this.reader.forgetParts();
		}
	}

	private MalformedResponseException notAList(String why) {
		return new MalformedProtobufException(
				"The response is not a list of '%s': %s".formatted(this.type.name(), why));
	}

	/**
	 * Decodes an object.
	 *
	 * @param <T> the model class
	 */
	@FunctionalInterface
	interface ObjectDecoder<T> {

		/**
		 * Decodes an object.
		 * @param bytes the array with the object, which is reused for the next object
		 * @param from the index of the first byte of the object
		 * @param to the index after its last byte
		 * @return the object
		 * @throws MalformedResponseException if the object cannot be read; the message
		 * names the field but does not quote its value
		 */
		T decode(byte[] bytes, int from, int to) throws MalformedResponseException;

	}

}
