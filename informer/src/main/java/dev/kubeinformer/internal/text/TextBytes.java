package dev.kubeinformer.internal.text;

import java.nio.charset.StandardCharsets;

/**
 * UTF-8 text in an array of bytes, which can be compared without creating a string. An
 * instance is reused for one text after the other, by one thread.
 */
public final class TextBytes {

	private static final byte[] NO_BYTES = new byte[0];

	private static final long OFFSET_BASIS = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	private byte[] bytes = NO_BYTES;

	private int from;

	private int to;

	/**
	 * Sets the text.
	 * @param array the array with the text, which must not change while this instance is
	 * used
	 * @param start index of the first byte
	 * @param end index after the last byte
	 */
	public void set(byte[] array, int start, int end) {
		this.bytes = array;
		this.from = start;
		this.to = end;
	}

	/**
	 * Sets the empty text.
	 */
	public void clear() {
		set(NO_BYTES, 0, 0);
	}

	public boolean isEmpty() {
		return this.from == this.to;
	}

	int length() {
		return this.to - this.from;
	}

	byte at(int index) {
		return this.bytes[this.from + index];
	}

	/**
	 * Returns whether the text equals an ASCII text.
	 * @param text the text
	 * @return {@code true} if both are equal; always {@code false} if they have other
	 * than ASCII characters
	 */
	public boolean isAscii(String text) {
		int length = text.length();
		if (length != this.to - this.from) {
			return false;
		}
		for (int i = 0; i < length; i++) {
			// Bytes of other characters are negative.
			if (this.bytes[this.from + i] != text.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the hash that selects the shard in API servers (KEP-5866).
	 * @return the 64-bit FNV-1a hash of the bytes, unsigned
	 */
	public long fnv1a() {
		long hash = OFFSET_BASIS;
		for (int i = this.from; i < this.to; i++) {
			hash = (hash ^ (this.bytes[i] & 0xff)) * PRIME;
		}
		return hash;
	}

	/**
	 * Returns the hash code of the equal string without creating it.
	 * @return the hash code of the string, if all characters are ASCII
	 */
	public int asciiHashCode() {
		int hash = 0;
		for (int i = this.from; i < this.to; i++) {
			hash = 31 * hash + this.bytes[i];
		}
		return hash;
	}

	@Override
	public String toString() {
		return new String(this.bytes, this.from, this.to - this.from, StandardCharsets.UTF_8);
	}

}
