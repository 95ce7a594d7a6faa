package dev.kubeinformer.internal.codec.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Search for the end of a JSON object or array by its brackets and strings alone, in
 * bytes that arrive piece by piece. It takes no memory however deep they are nested,
 * unlike a parser, and does not check whether what is in between is JSON.
 * <p>
 * It looks at eight bytes at a time, each in a lane of a {@code long}, and does not
 * branch for any of them: where the strings of an object end is hard to predict.
 */
final class JsonExtent {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101010101010101L;

	/** The highest bit of each lane. */
	private static final long HIGHEST = ONES << 7;

	private static final long OTHERS = ~HIGHEST;

	private int depth;

	/** All bits while in a string, and none outside. */
	private long inString;

	/** The highest bit of the first lane if the next byte follows a backslash. */
	private long escaped;

	/**
	 * Begins with another value.
	 */
	void clear() {
		this.depth = 0;
		this.inString = 0;
		this.escaped = 0;
	}

	/**
	 * Looks at the next bytes.
	 * @param json the array with the bytes; the very first one begins the value
	 * @param from index of the first byte
	 * @param to index after the last one
	 * @return the index after the value; negative if it does not end here
	 */
	int end(byte[] json, int from, int to) {
		int at = from;
		if (this.depth == 0 && at < to) {
			int end = endByByte(json, at, ++at);
			if (end >= 0) {
				return end;
			}
		}
		int open = this.depth;
		long quoted = this.inString;
		long skipped = this.escaped;
		for (; at <= to - Long.BYTES; at += Long.BYTES) {
			long eight = (long) LONGS.get(json, at);
			long backslashes = lanes(eight, ONES * '\\');
			long escapes = backslashes << 8 | skipped;
			long quotes = lanes(eight, ONES * '"') & ~escapes;
			// A lane of the product has the number of quotes up to it: if that is odd, it
			// is in a string.
			long strings = (quotes >>> 7) * ONES << 6 ^ quoted;
			// Outside of strings, only brackets have these three bits in JSON; those
			// that close have one more.
			long brackets = eight & eight << 2 & eight << 3 & ~strings & HIGHEST >>> 1;
			int closing = Long.bitCount(brackets & eight << 4);
			if (closing < open && (backslashes & escapes) == 0) {
				open += Long.bitCount(brackets) - 2 * closing;
				quoted = strings << 1 >> 63;
				skipped = backslashes >>> 56;
			}
			else {
				keep(open, quoted, skipped);
				int end = endByByte(json, at, at + Long.BYTES);
				if (end >= 0) {
					return end;
				}
				open = this.depth;
				quoted = this.inString;
				skipped = this.escaped;
			}
		}
		keep(open, quoted, skipped);
		return endByByte(json, at, to);
	}

	/**
	 * Finds a character of ASCII.
	 * @param eight the bytes
	 * @param wanted the character, in each lane
	 * @return the highest bit of the lanes with it, and nothing else
	 */
	private static long lanes(long eight, long wanted) {
		// No sum is greater than a lane, unlike in the usual test for zeros.
		return ~(((eight & OTHERS) ^ wanted) + OTHERS | eight) & HIGHEST;
	}

	private void keep(int open, long quoted, long skipped) {
		this.depth = open;
		this.inString = quoted;
		this.escaped = skipped;
	}

	private int endByByte(byte[] json, int from, int to) {
		for (int i = from; i < to; i++) {
			byte next = json[i];
			if (this.inString != 0) {
				this.inString = (this.escaped != 0 || next != '"') ? -1 : 0;
				this.escaped = (this.escaped == 0 && next == '\\') ? 0x80 : 0;
			}
			else if (next == '"') {
				this.inString = -1;
			}
			else if (next == '{' || next == '[') {
				this.depth++;
			}
			else if ((next == '}' || next == ']') && --this.depth == 0) {
				return i + 1;
			}
		}
		return -1;
	}

}
