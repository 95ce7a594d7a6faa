package dev.kubeinformer.internal.text;

import java.nio.charset.StandardCharsets;

/**
 * Text in an array of bytes, as UTF-8, which is compared without making a string of it.
 * It is used for one text after the other, by one thread.
 */
public final class TextBytes {

	private static final byte[] NO_BYTES = new byte[0];

	private static final long OFFSET_BASIS = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	private byte[] bytes = NO_BYTES;

	private int from;

	private int to;

	/**
	 * Shows a text.
	 * @param array the array with the text, which must not change as long as this is used
	 * @param start index of the first byte
	 * @param end index after the last byte
	 */
	public void set(byte[] array, int start, int end) {
		this.bytes = array;
		this.from = start;
		this.to = end;
	}

	/**
	 * Shows the empty text.
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
	 * Returns whether it is a certain text, of characters of ASCII only.
	 * @param text the text
	 * @return whether it is; {@code false} also for equal texts with other characters
	 */
	public boolean isAscii(String text) {
		int length = text.length();
		if (length != this.to - this.from) {
			return false;
		}
		for (int i = 0; i < length; i++) {
			// What is not ASCII is negative.
			if (this.bytes[this.from + i] != text.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the hash by which API servers tell shards (KEP-5866).
	 * @return the 64 bits of FNV-1a over the bytes, without sign
	 */
	public long fnv1a() {
		long hash = OFFSET_BASIS;
		for (int i = this.from; i < this.to; i++) {
			hash = (hash ^ (this.bytes[i] & 0xff)) * PRIME;
		}
		return hash;
	}

	/**
	 * Returns the hash code of the string, without making one.
	 * @return that of the string, if all characters are of ASCII
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
