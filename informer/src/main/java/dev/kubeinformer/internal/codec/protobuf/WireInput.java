package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Buffer for reading messages while they arrive. It grows with the bytes that were
 * received. It does not rely on the lengths that messages claim to have.
 */
final class WireInput {

	private static final int BUFFER = 64 * 1024;

	private static final int LONGEST_VARINT = 10;

	private final InputStream source;

	private final int longestMessage;

	private byte[] buffer = new byte[BUFFER];

	private int from;

	private int to;

	/** Offset in the stream of the first byte of the buffer. */
	private long offset;

	/**
	 * Creates the input.
	 * @param source the bytes
	 * @param longestMessage the maximum number of bytes to buffer for one message
	 */
	WireInput(InputStream source, int longestMessage) {
		this.source = source;
		this.longestMessage = longestMessage;
	}

	// Offset in the stream of the next byte.
	long position() {
		return this.offset + this.from;
	}

	boolean hasNext() throws IOException {
		return has(1);
	}

	/**
	 * Waits until the buffer holds a number of bytes.
	 * @param count the number of bytes
	 * @return {@code false} if the stream ends earlier
	 * @throws IOException if the stream could not be read
	 */
	boolean has(int count) throws IOException {
		return this.to - this.from >= count || fill(count);
	}

	// A method of its own keeps the fast path of the caller small. Reading from the
	// socket is slow anyway.
	private boolean fill(int count) throws IOException {
		while (this.to - this.from < count) {
			if (this.to == this.buffer.length) {
				makeRoom();
			}
			int read = this.source.read(this.buffer, this.to, this.buffer.length - this.to);
			if (read < 0) {
				return false;
			}
			this.to += read;
		}
		return true;
	}

	private void makeRoom() {
		if (this.from > 0) {
			System.arraycopy(this.buffer, this.from, this.buffer, 0, this.to - this.from);
			this.offset += this.from;
			this.to -= this.from;
			this.from = 0;
		}
		else {
			this.buffer = Arrays.copyOf(this.buffer, this.buffer.length * 2);
		}
	}

	/**
	 * Waits for a number of bytes.
	 * @param count the number of bytes that a message claims
	 * @throws MalformedMessageException if the stream ends earlier
	 * @throws IOException if the stream could not be read
	 */
	void require(long count) throws MalformedMessageException, IOException {
		if (count > this.longestMessage) {
			throw new MalformedMessageException("a message is longer than %d bytes".formatted(this.longestMessage));
		}
		if (count < 0 || !has((int) count)) {
			throw new MalformedMessageException("a message is cut off");
		}
	}

	// Returns the array with the required bytes, which begin at start(). They are valid
	// until the next call that reads.
	byte[] bytes() {
		return this.buffer;
	}

	int start() {
		return this.from;
	}

	WireFields message(long length) throws MalformedMessageException, IOException {
		require(length);
		return new WireFields(this.buffer, this.from, this.from + (int) length);
	}

	/**
	 * Skips bytes that are in the buffer.
	 * @param count the number of bytes
	 */
	void advance(int count) {
		this.from += count;
	}

	long varint() throws MalformedMessageException, IOException {
		long result = 0;
		for (int i = 0; i < LONGEST_VARINT; i++) {
			require(1);
			byte part = this.buffer[this.from++];
			result |= (long) (part & 0x7f) << (7 * i);
			if (part >= 0) {
				return result;
			}
		}
		throw new MalformedMessageException("a number is too long");
	}

	/**
	 * Skips the value of a field.
	 * @param tag the tag of the field
	 * @throws MalformedMessageException if the value is invalid or cut off
	 * @throws IOException if the stream could not be read
	 */
	void skipValue(long tag) throws MalformedMessageException, IOException {
		switch ((int) (tag & 7)) {
			case MessageCursor.VARINT -> varint();
			case MessageCursor.BYTES -> skip(varint());
			case MessageCursor.FIXED64 -> skip(Long.BYTES);
			case MessageCursor.FIXED32 -> skip(Integer.BYTES);
			default -> throw new MalformedMessageException("a field is of an unknown type");
		}
	}

	private void skip(long count) throws MalformedMessageException, IOException {
		if (count < 0) {
			throw new MalformedMessageException("a message is cut off");
		}
		long left = count;
		while (left > 0) {
			require(1);
			int skipped = (int) Math.min(left, this.to - this.from);
			this.from += skipped;
			left -= skipped;
		}
	}

}
