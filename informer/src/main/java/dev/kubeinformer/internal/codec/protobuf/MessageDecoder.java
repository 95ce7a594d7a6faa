package dev.kubeinformer.internal.codec.protobuf;

/**
 * Decoder of messages of one kind into models of one class. It has no state, and may be
 * used by many threads, each with a reader of its own.
 *
 * @param <T> the model class
 * @see MessageDecoders
 */
public interface MessageDecoder<T> extends ValueReader<T> {

	/**
	 * Reads a message up to the limit of the reader. Callers outside of decoders use
	 * {@link ProtobufReader#read}.
	 * @param reader the reader, at the beginning of the message
	 * @return the model
	 * @throws MalformedMessageException if the bytes are not such a message
	 */
	T decode(ProtobufReader reader) throws MalformedMessageException;

	/**
	 * Returns the name of a field in JSON, for messages about it.
	 * @param number the number of the field
	 * @return the name; empty for fields that have none of their own in JSON, and for
	 * unknown ones
	 */
	default String fieldName(int number) {
		return "";
	}

	@Override
	default T read(ProtobufReader reader) throws MalformedMessageException {
		return reader.message(this);
	}

}
