package dev.kubeinformer.internal.text;

import java.nio.charset.StandardCharsets;

/**
 * UTF-8 text as a range of an array of bytes, so that texts can be compared without
 * creating strings. One thread reuses an instance for many texts.
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
	 * Makes the text empty.
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
	 * @return {@code true} if both are equal; always {@code false} if a character is not
	 * ASCII
	 */
	public boolean isAscii(String text) {
		int length = text.length();
		if (length != this.to - this.from) {
			return false;
		}
		for (int i = 0; i < length; i++) {
			// Bytes of non-ASCII characters are negative.
			if (this.bytes[this.from + i] != text.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the hash by which API servers select the shard of an object (KEP-5866).
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
	 * Returns the {@link String#hashCode()} of the equal string, without creating the
	 * string.
	 * @return the hash code, which is only correct if all characters are ASCII
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
