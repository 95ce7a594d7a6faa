package dev.kubeinformer.internal.codec.pool;

import java.util.Arrays;

/**
 * Growing ring buffer in which the newest bytes overwrite the oldest bytes. The position
 * of a byte is the number of bytes that were written before it since the ring was last
 * cleared.
 */
final class ByteRing {

	private final int firstSize;

	private byte[] bytes;

	/** Number of bytes written so far. */
	private long written;

	/** Position of the oldest byte that was kept when the ring last changed its size. */
	private long oldest;

	/**
	 * Creates a ring without capacity. It gets its capacity when it is
	 * {@linkplain #clear() cleared} for the first time.
	 * @param firstSize the initial capacity in bytes, a power of two
	 */
	ByteRing(int firstSize) {
		this.firstSize = firstSize;
		this.bytes = new byte[0];
	}

	/**
	 * Returns the capacity in bytes.
	 * @return the number of bytes
	 */
	int size() {
		return this.bytes.length;
	}

	/**
	 * Discards all bytes and returns to the initial capacity.
	 */
	void clear() {
		this.bytes = new byte[this.firstSize];
		this.written = 0;
		this.oldest = 0;
	}

	/**
	 * Returns whether the ring still holds bytes that were written to it.
	 * @param start the position of the first byte
	 * @return {@code true} if the bytes have not been overwritten
	 */
	boolean holds(long start) {
		return start >= Math.max(this.oldest, this.written - this.bytes.length);
	}

	/**
	 * Returns whether bytes are in the older half of the ring, which is overwritten next.
	 * @param start the position of the first byte
	 * @return {@code true} if the bytes are in the older half
	 */
	boolean isOld(long start) {
		return start < this.written - this.bytes.length / 2;
	}

	/**
	 * Compares bytes of the ring with other bytes.
	 * @param start the position of the first byte, which must still be in the ring
	 * @param other the array with the other bytes
	 * @param from the index of the first other byte
	 * @param length the number of bytes
	 * @return {@code true} if the bytes are equal
	 */
	boolean equals(long start, byte[] other, int from, int length) {
		int at = (int) (start & (this.bytes.length - 1));
		// If the ring has shrunk, bytes may cross the end of the array; they count as
		// lost.
		return at + length <= this.bytes.length
				&& Arrays.equals(this.bytes, at, at + length, other, from, from + length);
	}

	/**
	 * Writes bytes.
	 * @param source the array with the bytes
	 * @param from the index of the first byte
	 * @param length the number of bytes
	 * @param bound the maximum size of the ring, a power of two; at this size, old bytes
	 * are overwritten
	 * @return the position of the first byte
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
	 * Writes bytes of the ring again, so that they are the newest bytes.
	 * @param start the position of the first byte, which must still be in the ring
	 * @param length the number of bytes
	 * @param bound the maximum size of the ring, a power of two; at this size, old bytes
	 * are overwritten
	 * @return the new position of the first byte
	 */
	long rewrite(long start, int length, int bound) {
		return write(this.bytes, (int) (start & (this.bytes.length - 1)), length, bound);
	}

	/**
	 * Returns the capacity that the ring would have after bytes are written.
	 * @param length the number of bytes
	 * @param bound the maximum size of the ring, a power of two; at this size, old bytes
	 * are overwritten
	 * @return the capacity in bytes
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
	 * Halves the capacity and keeps the newest bytes.
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
		// The two parts of wrapped bytes are adjacent now.
		for (long at = this.oldest; at < this.written;) {
			int from = (int) (at & (before.length - 1));
			int to = (int) (at & (size - 1));
			int count = (int) Math.min(Math.min(this.written - at, before.length - from), size - to);
			System.arraycopy(before, from, this.bytes, to, count);
			at += count;
		}
	}

}
