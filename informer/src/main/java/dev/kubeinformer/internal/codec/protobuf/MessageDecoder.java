package dev.kubeinformer.internal.codec.protobuf;

/**
 * Decodes messages of one kind into models of one class. A decoder has no state, so
 * several threads may use it, each with its own reader.
 *
 * @param <T> the model class
 * @see MessageDecoders
 */
public interface MessageDecoder<T> extends ValueReader<T> {

	/**
	 * Reads a message up to the limit of the reader. Callers other than decoders must use
	 * {@link ProtobufReader#read}.
	 * @param reader the reader, at the beginning of the message
	 * @return the model
	 * @throws MalformedMessageException if the bytes are not such a message
	 */
	T decode(ProtobufReader reader) throws MalformedMessageException;

	/**
	 * Returns the JSON name of a field, for error messages.
	 * @param number the number of the field
	 * @return the name; empty for an unknown field, or if the field has no name in JSON
	 */
	default String fieldName(int number) {
		return "";
	}

	@Override
	default T read(ProtobufReader reader) throws MalformedMessageException {
		return reader.message(this);
	}

}
