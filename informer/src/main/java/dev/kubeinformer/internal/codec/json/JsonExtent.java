package dev.kubeinformer.internal.codec.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the end of a JSON object or array, in bytes that arrive in pieces. It looks only
 * at brackets and strings. Unlike a parser, it needs no memory for nesting, and it does
 * not check whether the bytes in between are JSON.
 * <p>
 * It processes a <i>word</i> of eight bytes at a time, as a {@code long}. A <i>lane</i>
 * is the part of the {@code long} that holds one byte. The code does not branch on single
 * bytes, because a processor cannot predict where strings end. Most bytes are ASCII
 * characters other than backslashes, so blocks of two words are first tested in a faster
 * way.
 */
final class JsonExtent {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101010101010101L;

	/** Highest bit of each byte of a word. */
	private static final long HIGHEST = ONES << 7;

	private static final long OTHERS = ~HIGHEST;

	/** Number of bytes that are tested together for special characters. */
	private static final int BLOCK = 2 * Long.BYTES;

	/**
	 * Number of bytes after a special character that are processed word by word, without
	 * a test of blocks.
	 */
	private static final int WITH_CARE = 64;

	private int depth;

	/**
	 * All bits are set if the bytes processed so far end within a string; otherwise no
	 * bit is set.
	 */
	private long inString;

	/**
	 * The highest bit of the lowest byte is set if the next byte follows a backslash; no
	 * other bit is set.
	 */
	private long escaped;

	/** Starts a search at the first byte of a value. */
	void clear() {
		begin(0);
	}

	/**
	 * Starts a search within a value, at a position outside of strings.
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
	 * Skips blocks of ASCII characters that contain no backslash and in which the value
	 * cannot end.
	 * @param json the bytes
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @return the index of the first block that cannot be skipped or is incomplete
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
			// closing brackets have one more bit set.
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
	 * Finds the bytes that differ from a given character.
	 * @param ascii eight ASCII characters
	 * @param character the character
	 * @return a word in which the highest bit of each byte is set if that byte is another
	 * character
	 */
	private static long others(long ascii, char character) {
		return (ascii ^ ONES * character) + OTHERS;
	}

	/**
	 * Finds the bytes within strings.
	 * @param ascii eight ASCII characters without escapes
	 * @return a word in which the highest bit of each byte is set if the number of quotes
	 * up to this byte is odd
	 */
	private static long quotesUpTo(long ascii) {
		// The product adds up all previous bytes; carries only affect low bits.
		return (~others(ascii, '"') & HIGHEST) * ONES;
	}

	/**
	 * Finds brackets.
	 * @param ascii eight ASCII characters
	 * @param strings a word in which the highest bit of each byte within a string is set
	 * @return a word in which only the highest bits of brackets are set
	 */
	private static long bracketsOfAscii(long ascii, long strings) {
		// With the bit of a space, both kinds of brackets are equal. Outside of strings,
		// no other character of JSON is greater.
		return (ascii | ONES * ' ') + ONES * (0x80 - '{') & ~strings & HIGHEST;
	}

	/**
	 * Finds an ASCII character.
	 * @param eight eight bytes
	 * @param wanted the character, repeated in each byte of the word
	 * @return a word in which only the highest bits of the bytes with this character are
	 * set
	 */
	private static long lanes(long eight, long wanted) {
		// Unlike in the usual test for zeros, no sum overflows its byte.
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
