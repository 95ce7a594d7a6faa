package dev.kubeinformer.internal.codec.model;

import java.nio.ByteBuffer;

/**
 * Computes the hash of a sequence of words. In practice, two different sequences have
 * different hashes. But the hash is not cryptographic: somebody could search for two
 * sequences with the same hash.
 */
final class ContentHasher {

	private static final long HIGH_FACTOR = 0x9E3779B97F4A7C15L;

	private static final long LOW_FACTOR = 0xC2B2AE3D27D4EB4FL;

	private static final long FINAL_FACTOR = 0xD6E8FEB86659FD93L;

	private long high = HIGH_FACTOR;

	private long low = LOW_FACTOR;

	// If the word is known, the previous state can be computed from the next one, so no
	// state is lost.
	void add(long word) {
		this.high = Long.rotateLeft(this.high ^ (word * LOW_FACTOR), 27) * HIGH_FACTOR + this.low;
		this.low = Long.rotateLeft(this.low + (word * HIGH_FACTOR), 31) * LOW_FACTOR ^ this.high;
	}

	void add(ContentHash hash) {
		add(hash.high());
		add(hash.low());
	}

	// Add the length, so that the texts "ab" and "c" differ from "a" and "bc". A word
	// holds four characters.
	void addText(String text) {
		int length = text.length();
		add(length);
		int at = 0;
		for (; at + 4 <= length; at += 4) {
			add(text.charAt(at) | (long) text.charAt(at + 1) << 16 | (long) text.charAt(at + 2) << 32
					| (long) text.charAt(at + 3) << 48);
		}
		if (at < length) {
			long rest = 0;
			for (; at < length; at++) {
				rest = rest << 16 | text.charAt(at);
			}
			add(rest);
		}
	}

	void addBytes(byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		add(bytes.length);
		while (buffer.remaining() >= Long.BYTES) {
			add(buffer.getLong());
		}
		while (buffer.hasRemaining()) {
			add(buffer.get());
		}
	}

	ContentHash hash() {
		return new ContentHash(spread(this.high + this.low), spread(this.low ^ Long.rotateLeft(this.high, 32)));
	}

	private static long spread(long word) {
		long first = (word ^ (word >>> 32)) * FINAL_FACTOR;
		long second = (first ^ (first >>> 32)) * FINAL_FACTOR;
		return second ^ (second >>> 32);
	}

}
