package dev.kubeinformer.internal.codec.pool;

import java.util.Arrays;

/**
 * Ring of bytes that begins small: the newest bytes overwrite the oldest ones. Places in
 * it are counted from the first byte that was ever written.
 */
final class ByteRing {

	private final int firstSize;

	private byte[] bytes;

	/** How many bytes have been written so far. */
	private long written;

	/** Where the bytes begin that are still there since the ring has grown last. */
	private long oldest;

	/**
	 * Creates a ring without room, until it is {@linkplain #clear() cleared}.
	 * @param firstSize how many bytes it holds at first, a power of two
	 */
	ByteRing(int firstSize) {
		this.firstSize = firstSize;
		this.bytes = new byte[0];
	}

	/**
	 * Returns how many bytes have room.
	 * @return the number
	 */
	int size() {
		return this.bytes.length;
	}

	/**
	 * Discards all bytes, and is as small as at first.
	 */
	void clear() {
		this.bytes = new byte[this.firstSize];
		this.written = 0;
		this.oldest = 0;
	}

	/**
	 * Returns whether bytes have not been overwritten.
	 * @param start where they begin
	 * @return whether they are still there
	 */
	boolean holds(long start) {
		return start >= Math.max(this.oldest, this.written - this.bytes.length);
	}

	/**
	 * Returns whether bytes belong to the half that is overwritten next.
	 * @param start where they begin
	 * @return whether they are old
	 */
	boolean isOld(long start) {
		return start < this.written - this.bytes.length / 2;
	}

	/**
	 * Compares bytes of the ring with others.
	 * @param start where those of the ring begin, which are still there
	 * @param other the array with the others
	 * @param from index of the first of them
	 * @param length how many there are
	 * @return whether they are equal
	 */
	boolean equals(long start, byte[] other, int from, int length) {
		int at = (int) (start & (this.bytes.length - 1));
		// Bytes that lie at the end and at the beginning since the ring has shrunk are
		// lost.
		return at + length <= this.bytes.length
				&& Arrays.equals(this.bytes, at, at + length, other, from, from + length);
	}

	/**
	 * Writes bytes.
	 * @param source the array with the bytes
	 * @param from index of the first one
	 * @param length how many there are
	 * @param bound the size up to which the ring grows before bytes are overwritten, a
	 * power of two
	 * @return where they begin
	 */
	long write(byte[] source, int from, int length, int bound) {
		if (this.written - this.oldest + length > this.bytes.length && this.bytes.length < bound) {
			grow(length, bound);
		}
		int at = (int) (this.written & (this.bytes.length - 1));
		if (at + length > this.bytes.length) {
			this.written += this.bytes.length - at;
			at = 0;
		}
		System.arraycopy(source, from, this.bytes, at, length);
		long start = this.written;
		this.written += length;
		return start;
	}

	/**
	 * Writes bytes of the ring once more, as the newest ones.
	 * @param start where they begin, which are still there
	 * @param length how many there are
	 * @param bound the size up to which the ring grows before bytes are overwritten, a
	 * power of two
	 * @return where they begin now
	 */
	long rewrite(long start, int length, int bound) {
		return write(this.bytes, (int) (start & (this.bytes.length - 1)), length, bound);
	}

	/**
	 * Returns how large the ring is once bytes are written.
	 * @param length how many bytes
	 * @param bound the size up to which the ring grows before bytes are overwritten, a
	 * power of two
	 * @return the size
	 */
	int sizeWith(int length, int bound) {
		long present = Math.min(this.written - this.oldest, this.bytes.length);
		int size = this.bytes.length;
		while (size < bound && present + length > size) {
			size *= 2;
		}
		return size;
	}

	/**
	 * Halves the room, and keeps the newest bytes.
	 */
	void shrink() {
		int size = this.bytes.length / 2;
		this.oldest = Math.max(this.oldest, this.written - size);
		resize(size);
	}

	private void grow(int length, int bound) {
		int size = sizeWith(length, bound);
		this.oldest = Math.max(this.oldest, this.written - this.bytes.length);
		resize(size);
	}

	private void resize(int size) {
		byte[] before = this.bytes;
		this.bytes = new byte[size];
		// What lay at the end and at the beginning lies side by side now.
		for (long at = this.oldest; at < this.written;) {
			int from = (int) (at & (before.length - 1));
			int to = (int) (at & (size - 1));
			int count = (int) Math.min(Math.min(this.written - at, before.length - from), size - to);
			System.arraycopy(before, from, this.bytes, to, count);
			at += count;
		}
	}

}
