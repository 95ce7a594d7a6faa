package dev.kubeinformer.internal.codec.protobuf;

import java.nio.charset.StandardCharsets;

/**
 * Iterates over the fields of a message in memory, without knowing their meaning. It
 * checks the lengths in the message.
 */
final class WireFields extends MessageCursor {

	private int tag;

	private long value;

	private int start;

	WireFields(byte[] bytes, int from, int to) {
		reset(bytes, from, to);
	}

	/**
	 * Moves to the next field.
	 * @return {@code true} if there is another field
	 * @throws MalformedMessageException if the following bytes are not a field
	 */
	boolean next() throws MalformedMessageException {
		this.tag = nextTag();
		switch (this.tag & 7) {
			case BYTES -> {
				int length = length();
				this.start = move(length);
			}
			case VARINT -> this.value = (this.tag != 0) ? varint64() : 0;
			default -> skip(this.tag);
		}
		return this.tag != 0;
	}

	/**
	 * Returns whether the current field has a given number and contains a text, bytes or
	 * a message.
	 * @param number the number of the field
	 * @return {@code true} if number and wire type match
	 */
	boolean isBytes(int number) {
		return this.tag == (number << 3 | BYTES);
	}

	/**
	 * Returns whether the current field has a given number and contains a number.
	 * @param number the number of the field
	 * @return {@code true} if number and wire type match
	 */
	boolean isNumber(int number) {
		return this.tag == (number << 3 | VARINT);
	}

	long number() {
		return this.value;
	}

	// Index of the first byte of this field's value.
	int from() {
		return this.start;
	}

	// Index after the last byte of this field's value.
	int to() {
		return this.position;
	}

	String text() {
		return new String(this.bytes, this.start, this.position - this.start, StandardCharsets.UTF_8);
	}

	// Fields of the message in this field.
	WireFields message() {
		return new WireFields(this.bytes, this.start, this.position);
	}

}
