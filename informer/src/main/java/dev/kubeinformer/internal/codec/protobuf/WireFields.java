package dev.kubeinformer.internal.codec.protobuf;

import java.nio.charset.StandardCharsets;

/**
 * The fields of a message in memory, one after the other, without what they mean. No
 * length is trusted.
 */
final class WireFields extends MessageCursor {

	private int tag;

	private long value;

	private int start;

	WireFields(byte[] bytes, int from, int to) {
		reset(bytes, from, to);
	}

	/**
	 * Goes on to the next field.
	 * @return whether there is one
	 * @throws MalformedMessageException if what follows is no field
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
	 * Returns whether this is a certain field that holds a text, bytes or a message.
	 * @param number the number of the field
	 * @return whether it is
	 */
	boolean isBytes(int number) {
		return this.tag == (number << 3 | BYTES);
	}

	/**
	 * Returns whether this is a certain field that holds a number.
	 * @param number the number of the field
	 * @return whether it is
	 */
	boolean isNumber(int number) {
		return this.tag == (number << 3 | VARINT);
	}

	long number() {
		return this.value;
	}

	// Where the bytes of this field begin.
	int from() {
		return this.start;
	}

	// Where the bytes of this field end.
	int to() {
		return this.position;
	}

	String text() {
		return new String(this.bytes, this.start, this.position - this.start, StandardCharsets.UTF_8);
	}

	// The fields of the message in this field.
	WireFields message() {
		return new WireFields(this.bytes, this.start, this.position);
	}

}
