package dev.kubeinformer.internal.codec.protobuf;

/**
 * Reads the value of a field, or of one element of a repeated field.
 *
 * @param <T> the class of the value
 */
@FunctionalInterface
interface ValueReader<T> {

	/**
	 * Reads a value.
	 * @param reader the reader, after the tag
	 * @return the value
	 * @throws MalformedMessageException if the bytes are not such a value
	 */
	T read(ProtobufReader reader) throws MalformedMessageException;

}
