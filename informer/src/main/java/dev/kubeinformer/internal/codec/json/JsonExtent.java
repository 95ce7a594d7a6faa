package dev.kubeinformer.internal.codec.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the end of a JSON object or array only by its brackets and strings, in bytes that
 * arrive in pieces. Unlike a parser, it needs no memory for nesting, and it does not
 * check whether the bytes in between are JSON.
 * <p>
 * It processes eight bytes at a time, each in a lane of a {@code long}, and does not
 * branch for any of them, because the ends of strings are hard to predict. Most bytes are
 * ASCII characters other than backslashes, so blocks of sixteen are first tested in a
 * faster way.
 */
final class JsonExtent {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101010101010101L;

	/** The highest bit of each lane. */
	private static final long HIGHEST = ONES << 7;

	private static final long OTHERS = ~HIGHEST;

	/** Number of bytes that are tested together for special characters. */
	private static final int BLOCK = 2 * Long.BYTES;

	/** Number of bytes that are processed word by word after a special character. */
	private static final int WITH_CARE = 64;

	private int depth;

	/** All bits set while within a string, and none outside. */
	private long inString;

	/** The highest bit of the first lane if the next byte follows a backslash. */
	private long escaped;

	/** Starts with another value. */
	void clear() {
		begin(0);
	}

	/**
	 * Starts within another value, outside of its strings.
	 * @param open the number of open objects and arrays, including that value
	 */
	void begin(int open) {
		this.depth = open;
		this.inString = 0;
		this.escaped = 0;
	}

	/**
	 * Processes the next bytes.
	 * @param json the array with the bytes; the first bytes must begin the value, unless
	 * the search started within it
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @return the index after the value; negative if it does not end in these bytes
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
	 * Skips blocks of ASCII characters without a backslash in which the value cannot end.
	 * @param json the bytes
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @return the index of the first block that does not qualify or is incomplete
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
			// Outside of strings, only brackets have these three bits set in JSON;
			// closing ones have one more.
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
	 * Finds the lanes without a given character.
	 * @param ascii eight ASCII characters
	 * @param character the character
	 * @return the highest bit set in the lanes of other characters, and cleared in those
	 * of the given one
	 */
	private static long others(long ascii, char character) {
		return (ascii ^ ONES * character) + OTHERS;
	}

	/**
	 * Finds the lanes within strings.
	 * @param ascii eight ASCII characters without escapes
	 * @return the highest bit set in the lanes with an odd number of quotes up to them
	 */
	private static long quotesUpTo(long ascii) {
		// The product adds up all previous lanes; carries only affect low bits.
		return (~others(ascii, '"') & HIGHEST) * ONES;
	}

	/**
	 * Finds brackets.
	 * @param ascii eight ASCII characters
	 * @param strings the highest bit set in the lanes within a string
	 * @return the highest bit of the lanes with brackets, and no other bit
	 */
	private static long bracketsOfAscii(long ascii, long strings) {
		// With the bit of a space, both kinds of brackets are equal. Outside of strings,
		// no other character of JSON is greater.
		return (ascii | ONES * ' ') + ONES * (0x80 - '{') & ~strings & HIGHEST;
	}

	/**
	 * Finds an ASCII character.
	 * @param eight eight bytes
	 * @param wanted the character, in each lane
	 * @return the highest bit of the lanes with it, and no other bit
	 */
	private static long lanes(long eight, long wanted) {
		// Unlike in the usual test for zeros, no sum overflows its lane.
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
