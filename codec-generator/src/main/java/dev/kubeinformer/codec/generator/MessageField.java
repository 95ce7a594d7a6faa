package dev.kubeinformer.codec.generator;

/**
 * A field of a message.
 *
 * @param number the number
 * @param shape whether there are many of it
 * @param type a scalar type of protobuf, or the full name of a message; of a map that of
 * its values
 * @param jsonName the name in JSON; {@code -} if it has none
 * @param presence when JSON has it
 */
record MessageField(int number, Shape shape, String type, String jsonName, Presence presence) {

	enum Shape {

		SINGLE, REPEATED, MAP

	}

}
