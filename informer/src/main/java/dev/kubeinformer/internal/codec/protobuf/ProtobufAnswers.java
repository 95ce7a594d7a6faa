package dev.kubeinformer.internal.codec.protobuf;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.model.TypeMeta;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.resource.ResourceType;

/**
 * Reads responses that consist of one object in protobuf. Safe for use by several
 * threads.
 */
public final class ProtobufAnswers {

	/** Number of strings that are remembered from earlier objects. */
	private static final int STRINGS = 1024;

	private final JsonMappers mappers;

	private final Map<ResourceType<?>, TypeMeta> typeMetas = new ConcurrentHashMap<>();

	/** Idle readers; each is used by one thread at a time. */
	private final Queue<ProtobufReader> readers = new ConcurrentLinkedQueue<>();

	/** Resources of which a response could not be read. */
	private final Set<ResourceType<?>> unreadable = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a reader.
	 * @param mappers the mappers for JSON inside of messages
	 */
	public ProtobufAnswers(JsonMappers mappers) {
		this.mappers = mappers;
	}

	/**
	 * Returns whether objects of a resource can be decoded.
	 * @param type the resource
	 * @return {@code true} if there is a decoder that has not failed yet
	 */
	public boolean canRead(ResourceType<?> type) {
		return MessageDecoders.find(type.objectClass()) != null && !this.unreadable.contains(type);
	}

	/**
	 * Reads an object. Its collections cannot be modified, because callers may share it.
	 * After a failure, callers should request further objects of the resource in JSON.
	 * @param <T> the model class
	 * @param type the resource
	 * @param answer the object in its envelope
	 * @param json reads an object that is JSON in the envelope. An aggregated API server
	 * may send JSON, because it may know an object only in the encoding in which it was
	 * written
	 * @return the object
	 * @throws MalformedResponseException if it is not an object of this resource
	 */
	public <T extends KubernetesObject> T read(ResourceType<T> type, byte[] answer, JsonAnswers<T> json)
			throws MalformedResponseException {
		try {
			return open(type, answer, json);
		}
		catch (MalformedResponseException ex) {
			this.unreadable.add(type);
			throw ex;
		}
	}

	private <T extends KubernetesObject> T open(ResourceType<T> type, byte[] answer, JsonAnswers<T> json)
			throws MalformedResponseException {
		Envelope envelope = Envelope.open(answer, 0, answer.length);
		if (envelope.contentType().startsWith("application/json")) {
			return json.read(Arrays.copyOfRange(answer, envelope.from(), envelope.to()));
		}
		MessageDecoder<T> decoder = MessageDecoders.find(type.objectClass());
		if (decoder == null || !envelope.kind().equals(type.kind())) {
			throw malformed(type, "it is not of its kind", null);
		}
		T value = decode(type, decoder, answer, envelope);
		DecodedObject<T> decoded = this.typeMetas.computeIfAbsent(type, TypeMeta::new).identify(value);
		if (decoded.object() == null) {
			throw malformed(type, Objects.requireNonNullElse(decoded.problem(), ""), null);
		}
		return decoded.object();
	}

	private <T extends KubernetesObject> T decode(ResourceType<T> type, MessageDecoder<T> decoder, byte[] answer,
			Envelope envelope) throws MalformedResponseException {
		ProtobufReader reader = Objects.requireNonNullElseGet(this.readers.poll(),
				() -> new ProtobufReader(this.mappers, new KnownValues(STRINGS), null));
		try {
			return reader.read(decoder, answer, envelope.from(), envelope.to());
		}
		catch (LinkageError ex) {
			// Decoders require the models of one version of client-java; JSON works with
			// any version.
			throw malformed(type, "the models of client-java are not those of the decoder", ex);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw malformed(type, ex.getClass().getName(), ex);
		}
		finally {
			this.readers.add(reader);
		}
	}

	private static MalformedProtobufException malformed(ResourceType<?> type, String why, @Nullable Throwable cause) {
		return new MalformedProtobufException("The response is not a '%s': %s".formatted(type.name(), why), cause);
	}

	/**
	 * Reads objects in JSON.
	 *
	 * @param <T> the model class
	 */
	@FunctionalInterface
	public interface JsonAnswers<T> {

		/**
		 * Reads an object.
		 * @param json the JSON of the object
		 * @return the object
		 * @throws MalformedResponseException if it is not an object of the resource
		 */
		T read(byte[] json) throws MalformedResponseException;

	}

}
