package dev.kubeinformer.internal.codec.protobuf;

/**
 * Decodes messages that exist only in protobuf. In JSON and in the models, their fields
 * belong to the enclosing object.
 *
 * @param <T> the model class of the enclosing message
 */
interface InlineDecoder<T> {

	/**
	 * Reads a message up to the limit of the reader.
	 * @param reader the reader, at the beginning of the message
	 * @param model the model that receives the fields
	 * @throws MalformedMessageException if the bytes are not such a message
	 */
	void decode(ProtobufReader reader, T model) throws MalformedMessageException;

	/**
	 * Returns the JSON name of a field, for error messages.
	 * @param number the number of the field
	 * @return the name
	 */
	String fieldName(int number);

}
