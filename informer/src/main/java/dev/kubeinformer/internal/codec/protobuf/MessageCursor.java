package dev.kubeinformer.internal.codec.protobuf;

import java.util.Arrays;

/**
 * Cursor on the bytes of a protobuf message. It reads the fields without knowing their
 * meaning. It supports the format that Kubernetes uses: proto2 without extensions.
 * <p>
 * Whatever the bytes are, each method either moves forward and returns, or throws a
 * {@link MalformedMessageException}. Not thread-safe.
 */
public class MessageCursor {

	/** Wire types of a field's value, in the lowest bits of its tag. */
	static final int VARINT = 0;

	static final int FIXED64 = 1;

	static final int BYTES = 2;

	static final int START_GROUP = 3;

	static final int END_GROUP = 4;

	static final int FIXED32 = 5;

	/** Maximum depth of nested messages; each level is a call on the stack. */
	private static final int MOST_NESTING = 500;

	private static final byte[] NO_BYTES = new byte[0];

	byte[] bytes = NO_BYTES;

	int position;

	int limit;

	int depth;

	/** Creates a cursor without a message. */
	public MessageCursor() {
	}

	/**
	 * Goes to the beginning of a message.
	 * @param message the array with the message
	 * @param from the index of the first byte
	 * @param to the index after the last byte
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
	 * Returns the current position.
	 * @return the index in the array
	 */
	public final int position() {
		return this.position;
	}

	/**
	 * Reads the tag of the next field.
	 * @return {@code number << 3 | wireType}; zero at the end of the message
	 * @throws MalformedMessageException if the bytes are not a tag
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
	 * Reads a varint.
	 * @return the number, or its bits
	 * @throws MalformedMessageException if the bytes are not a varint
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
	 * Reads the lower half of a varint.
	 * @return the number, or its bits
	 * @throws MalformedMessageException if the bytes are not a varint
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
	 * @throws MalformedMessageException if there are fewer bytes
	 */
	public final long fixed64() throws MalformedMessageException {
		return (fixed32() & 0xffff_ffffL) | (long) fixed32() << 32;
	}

	/**
	 * Reads four bytes.
	 * @return the number, or its bits
	 * @throws MalformedMessageException if there are fewer bytes
	 */
	public final int fixed32() throws MalformedMessageException {
		int at = move(4);
		return (this.bytes[at] & 0xff) | (this.bytes[at + 1] & 0xff) << 8 | (this.bytes[at + 2] & 0xff) << 16
				| this.bytes[at + 3] << 24;
	}

	/**
	 * Reads the length of a string, of bytes or of a message.
	 * @return the length, which does not exceed the limit
	 * @throws MalformedMessageException if the length is invalid or exceeds the limit
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
	 * Skips bytes.
	 * @param count the number of bytes
	 * @return the index of the first skipped byte
	 * @throws MalformedMessageException if there are fewer bytes
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
	 * @param tag the tag, which was already read
	 * @throws MalformedMessageException if the value is invalid
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
	 * Limits the cursor to a nested message.
	 * @return the limit of the enclosing message, to be passed to {@link #widen(int)}
	 * after the nested message
	 * @throws MalformedMessageException if the nested message is cut off
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
