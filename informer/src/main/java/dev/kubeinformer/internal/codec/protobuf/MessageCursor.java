package dev.kubeinformer.internal.codec.protobuf;

import java.util.Arrays;

/**
 * A cursor on the bytes of a protobuf message, which knows fields, but not what they
 * mean. It reads what Kubernetes writes: proto2, without extensions.
 * <p>
 * Whatever the bytes are, a method either returns, having moved on, or throws
 * {@link MalformedMessageException}. It is not thread-safe.
 */
public class MessageCursor {

	/** How the value of a field is written, in the lowest bits of its tag. */
	static final int VARINT = 0;

	static final int FIXED64 = 1;

	static final int BYTES = 2;

	static final int START_GROUP = 3;

	static final int END_GROUP = 4;

	static final int FIXED32 = 5;

	/** Deeper messages are not read: each level is a call on the stack. */
	private static final int MOST_NESTING = 500;

	private static final byte[] NO_BYTES = new byte[0];

	byte[] bytes = NO_BYTES;

	int position;

	int limit;

	int depth;

	/**
	 * Creates a cursor on nothing.
	 */
	public MessageCursor() {
	}

	/**
	 * Goes to the beginning of a message.
	 * @param message the array with the message
	 * @param from index of its first byte
	 * @param to index after its last byte
	 * @throws IndexOutOfBoundsException if there are no such bytes
	 */
	public final void reset(byte[] message, int from, int to) {
		if (from < 0 || from > to || to > message.length) {
			throw new IndexOutOfBoundsException("%d to %d of %d".formatted(from, to, message.length));
		}
		this.bytes = message;
		this.position = from;
		this.limit = to;
		this.depth = 0;
	}

	/**
	 * Returns where it is.
	 * @return index in the array
	 */
	public final int position() {
		return this.position;
	}

	/**
	 * Reads the tag of the next field.
	 * @return {@code number << 3 | wireType}; zero at the end of the message
	 * @throws MalformedMessageException if it is no tag
	 */
	public final int nextTag() throws MalformedMessageException {
		if (this.position == this.limit) {
			return 0;
		}
		int next = this.bytes[this.position];
		if (next < 0) {
			next = varint32();
		}
		else {
			this.position++;
		}
		if (next >>> 3 == 0) {
			throw new MalformedMessageException("it is not protobuf");
		}
		return next;
	}

	/**
	 * Reads a number of variable length.
	 * @return the number, or its bits
	 * @throws MalformedMessageException if it is no number
	 */
	public final long varint64() throws MalformedMessageException {
		long value = 0;
		int at = this.position;
		for (int shift = 0; shift < 64; shift += 7) {
			if (at == this.limit) {
				throw cutOff();
			}
			byte each = this.bytes[at++];
			value |= (long) (each & 0x7f) << shift;
			if (each >= 0) {
				this.position = at;
				return value;
			}
		}
		throw new MalformedMessageException("a number is too long");
	}

	/**
	 * Reads the lower half of a number of variable length.
	 * @return the number, or its bits
	 * @throws MalformedMessageException if it is no number
	 */
	public final int varint32() throws MalformedMessageException {
		if (this.position < this.limit && this.bytes[this.position] >= 0) {
			return this.bytes[this.position++];
		}
		return (int) varint64();
	}

	/**
	 * Reads eight bytes.
	 * @return the number, or its bits
	 * @throws MalformedMessageException if there are fewer
	 */
	public final long fixed64() throws MalformedMessageException {
		return (fixed32() & 0xffff_ffffL) | (long) fixed32() << 32;
	}

	/**
	 * Reads four bytes.
	 * @return the number, or its bits
	 * @throws MalformedMessageException if there are fewer
	 */
	public final int fixed32() throws MalformedMessageException {
		int at = move(4);
		return (this.bytes[at] & 0xff) | (this.bytes[at + 1] & 0xff) << 8 | (this.bytes[at + 2] & 0xff) << 16
				| this.bytes[at + 3] << 24;
	}

	/**
	 * Reads the length of a string, of bytes or of a message.
	 * @return the length, which does not go beyond the limit
	 * @throws MalformedMessageException if it is none, or goes beyond the limit
	 */
	public final int length() throws MalformedMessageException {
		int at = this.position;
		if (at < this.limit) {
			int first = this.bytes[at++];
			if (first >= 0 && first <= this.limit - at) {
				this.position = at;
				return first;
			}
		}
		return longLength();
	}

	private int longLength() throws MalformedMessageException {
		long length = varint64();
		if (length < 0 || length > this.limit - this.position) {
			throw cutOff();
		}
		return (int) length;
	}

	/**
	 * Moves behind some bytes.
	 * @param count how many
	 * @return where the first of them is
	 * @throws MalformedMessageException if there are fewer
	 */
	public final int move(int count) throws MalformedMessageException {
		int from = this.position;
		if (count < 0 || count > this.limit - from) {
			throw cutOff();
		}
		this.position = from + count;
		return from;
	}

	/**
	 * Skips the value of a field.
	 * @param tag the tag of the field, which was read
	 * @throws MalformedMessageException if it is no value
	 */
	public final void skip(int tag) throws MalformedMessageException {
		switch (tag & 7) {
			case VARINT -> varint64();
			case FIXED64 -> move(8);
			case BYTES -> move(length());
			case START_GROUP -> skipGroup(tag >>> 3);
			case FIXED32 -> move(4);
			default -> throw new MalformedMessageException("it is not protobuf");
		}
	}

	private void skipGroup(int number) throws MalformedMessageException {
		enter();
		int inner = nextTag();
		while ((inner & 7) != END_GROUP) {
			if (inner == 0) {
				throw cutOff();
			}
			skip(inner);
			inner = nextTag();
		}
		if (inner >>> 3 != number) {
			throw new MalformedMessageException("it is not protobuf");
		}
		this.depth--;
	}

	final void enter() throws MalformedMessageException {
		if (++this.depth > MOST_NESTING) {
			throw new MalformedMessageException("it is nested too deeply");
		}
	}

	/**
	 * Reads bytes.
	 * @return a copy of the bytes
	 * @throws MalformedMessageException if they are cut off
	 */
	byte[] bytes() throws MalformedMessageException {
		int length = length();
		int from = move(length);
		return Arrays.copyOfRange(this.bytes, from, from + length);
	}

	/**
	 * Goes into a message inside of this one.
	 * @return the limit of the message around, for {@link #widen(int)}
	 * @throws MalformedMessageException if it is cut off
	 */
	final int narrow() throws MalformedMessageException {
		int outerLimit = this.limit;
		int length = length();
		this.limit = this.position + length;
		return outerLimit;
	}

	final void widen(int outerLimit) {
		this.limit = outerLimit;
	}

	private static MalformedMessageException cutOff() {
		return new MalformedMessageException("it is cut off");
	}

}
