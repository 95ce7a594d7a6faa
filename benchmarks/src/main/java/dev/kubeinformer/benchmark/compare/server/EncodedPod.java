package dev.kubeinformer.benchmark.compare.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Pod in one encoding, whose resourceVersion and annotation {@code bench/t} have a fixed
 * width, so that a change can overwrite them in place. Not thread-safe.
 */
final class EncodedPod {

	/** Placeholder of the resourceVersion in new bytes. */
	static final String VERSION = "1000000000000000001";

	/** Placeholder of the time in new bytes. */
	static final String STAMP = "0000000000000000000";

	static final String STAMP_KEY = "bench/t";

	private final byte[] bytes;

	private final int version;

	private final int stamp;

	/**
	 * Prepares bytes that contain {@link #VERSION} once, and {@link #STAMP} directly
	 * after the first quotes or length that follow its key.
	 * @param bytes the bytes
	 * @throws IllegalArgumentException if one of them is missing
	 */
	EncodedPod(byte[] bytes) {
		this.bytes = bytes;
		this.version = find(bytes, VERSION);
		this.stamp = find(bytes, STAMP);
	}

	private static int find(byte[] bytes, String text) {
		byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
		for (int i = 0; i <= bytes.length - wanted.length; i++) {
			if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
				return i;
			}
		}
		throw new IllegalArgumentException("A pod without " + text);
	}

	void version(long value) {
		digits(this.version, value);
	}

	void stamp(long value) {
		digits(this.stamp, value);
	}

	private void digits(int at, long value) {
		long rest = value;
		for (int i = at + STAMP.length() - 1; i >= at; i--) {
			this.bytes[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
	}

	byte[] bytes() {
		return this.bytes;
	}

}
