package dev.kubeinformer.internal.codec.protobuf;

/**
 * Decoder of messages that are of their own in protobuf only: in JSON, and in the models,
 * their fields are those of the message around them.
 *
 * @param <T> the model class of the message around
 */
interface InlineDecoder<T> {

	/**
	 * Reads a message up to the limit of the reader.
	 * @param reader the reader, at the beginning of the message
	 * @param model the model, which gets the fields
	 * @throws MalformedMessageException if the bytes are not such a message
	 */
	void decode(ProtobufReader reader, T model) throws MalformedMessageException;

	/**
	 * Returns the name of a field in JSON, for messages about it.
	 * @param number the number of the field
	 * @return the name
	 */
	String fieldName(int number);

}
