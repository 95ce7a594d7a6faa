package dev.kubeinformer.internal.codec.protobuf;

/**
 * Reader of the value of a field, or of one element of a repeated one.
 *
 * @param <T> the class of the value
 */
@FunctionalInterface
interface ValueReader<T> {

	/**
	 * Reads a value.
	 * @param reader the reader, behind the tag
	 * @return the value
	 * @throws MalformedMessageException if the bytes are no such value
	 */
	T read(ProtobufReader reader) throws MalformedMessageException;

}
