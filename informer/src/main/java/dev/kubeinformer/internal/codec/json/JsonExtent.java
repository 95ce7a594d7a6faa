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
 * branch for any of them: where the strings of an object end is hard to predict. Most
 * bytes are of ASCII and no backslashes, so that sixteen are looked at with less care.
 */
final class JsonExtent {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101010101010101L;

	/** The highest bit of each lane. */
	private static final long HIGHEST = ONES << 7;

	private static final long OTHERS = ~HIGHEST;

	/** How many bytes are looked at together where nothing special is among them. */
	private static final int BLOCK = 2 * Long.BYTES;

	/** How many are looked at with more care where it is. */
	private static final int WITH_CARE = 64;

	private int depth;

	/** All bits while in a string, and none outside. */
	private long inString;

	/** The highest bit of the first lane if the next byte follows a backslash. */
	private long escaped;

	/**
	 * Begins with another value.
	 */
	void clear() {
		begin(0);
	}

	/**
	 * Begins within another value, outside of its strings.
	 * @param open how many objects and arrays are open there, that value included
	 */
	void begin(int open) {
		this.depth = open;
		this.inString = 0;
		this.escaped = 0;
	}

	/**
	 * Looks at the next bytes.
	 * @param json the array with the bytes; the very first one begins the value, unless
	 * they begin within it
	 * @param from index of the first byte
	 * @param to index after the last one
	 * @return the index after the value; negative if it does not end here
	 */
	int end(byte[] json, int from, int to) {
		int at = from;
		int end = -1;
		if (this.depth == 0 && at < to) {
			end = endByByte(json, at, ++at);
		}
		while (end < 0 && at < to) {
			at = skipBlocks(json, at, to);
			int next = Math.min(at + WITH_CARE, to);
			end = endByWord(json, at, next);
			at = next;
		}
		return end;
	}

	/**
	 * Passes over blocks of ASCII without a backslash in which the value cannot end.
	 * @param json the bytes
	 * @param from index of the first one
	 * @param to index after the last one
	 * @return the index of the first block that may be another one, or has too few bytes
	 */
	private int skipBlocks(byte[] json, int from, int to) {
		int open = this.depth;
		long quoted = this.inString;
		int at = from;
		if (this.escaped != 0) {
			return at;
		}
		for (; at <= to - BLOCK; at += BLOCK) {
			long first = (long) LONGS.get(json, at);
			long second = (long) LONGS.get(json, at + Long.BYTES);
			long plain = others(first, '\\') & others(second, '\\') & ~(first | second);
			if ((plain & HIGHEST) != HIGHEST) {
				break;
			}
			long quotes = quotesUpTo(first);
			long brackets = bracketsOfAscii(first, quotes ^ quoted);
			long between = quoted ^ quotes >> 63;
			long moreQuotes = quotesUpTo(second);
			long moreBrackets = bracketsOfAscii(second, moreQuotes ^ between);
			int closing = Long.bitCount(brackets & first << 5) + Long.bitCount(moreBrackets & second << 5);
			if (closing >= open) {
				break;
			}
			quoted = between ^ moreQuotes >> 63;
			open += Long.bitCount(brackets) + Long.bitCount(moreBrackets) - 2 * closing;
		}
		keep(open, quoted, 0);
		return at;
	}

	private int endByWord(byte[] json, int from, int to) {
		int at = from;
		int open = this.depth;
		long quoted = this.inString;
		long skipped = this.escaped;
		for (; at <= to - Long.BYTES; at += Long.BYTES) {
			long eight = (long) LONGS.get(json, at);
			long backslashes = lanes(eight, ONES * '\\');
			long escapes = backslashes << 8 | skipped;
			long quotes = lanes(eight, ONES * '"') & ~escapes;
			long upTo = quotes * ONES;
			// Outside of strings, only brackets have these three bits in JSON; those
			// that close have one more.
			long brackets = eight & eight << 2 & eight << 3 & ~(upTo >>> 1 ^ quoted) & HIGHEST >>> 1;
			int closing = Long.bitCount(brackets & eight << 4);
			if (closing < open && (backslashes & escapes) == 0) {
				open += Long.bitCount(brackets) - 2 * closing;
				quoted ^= upTo >> 63;
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
	 * Finds what is not a certain character.
	 * @param ascii bytes of ASCII only
	 * @param character the character
	 * @return the highest bit is set in the lanes of others, and not in its own
	 */
	private static long others(long ascii, char character) {
		return (ascii ^ ONES * character) + OTHERS;
	}

	/**
	 * Finds what is in strings.
	 * @param ascii bytes of ASCII only, without escapes
	 * @return the highest bit is set in the lanes with an odd number of quotes up to them
	 */
	private static long quotesUpTo(long ascii) {
		// A product adds up the lanes before; what they carry over are low bits.
		return (~others(ascii, '"') & HIGHEST) * ONES;
	}

	/**
	 * Finds brackets.
	 * @param ascii bytes of ASCII only
	 * @param strings the highest bit is set in the lanes that are in a string
	 * @return the highest bit of the lanes with brackets, and nothing else
	 */
	private static long bracketsOfAscii(long ascii, long strings) {
		// Both kinds are one with the bit of a space. Outside of strings, nothing in
		// JSON is above them.
		return (ascii | ONES * ' ') + ONES * (0x80 - '{') & ~strings & HIGHEST;
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
