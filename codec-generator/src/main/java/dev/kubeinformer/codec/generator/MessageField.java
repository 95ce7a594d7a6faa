package dev.kubeinformer.codec.generator;

/**
 * Field of a message.
 *
 * @param number the number
 * @param shape whether the field is single, repeated or a map
 * @param type a scalar type of protobuf, or the full name of a message; for a map, the
 * type of its values
 * @param jsonName the name in JSON; {@code -} if it has none
 * @param presence the condition under which JSON contains the field
 */
record MessageField(int number, Shape shape, String type, String jsonName, Presence presence) {

	enum Shape {

		SINGLE, REPEATED, MAP

	}

}
