package dev.kubeinformer.internal.text;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Hash of texts that an attacker cannot predict. An attacker could choose many names with
 * the same {@link String#hashCode()}, so that a hash table becomes slow, but does not
 * know the random numbers that are used here.
 * <p>
 * The characters of a text, three at a time, are the coefficients of a polynomial. The
 * hash is the value of this polynomial at a random point, modulo a prime. There are
 * hardly any points at which two texts have the same value.
 */
public final class NameHash {

	/** The Mersenne prime 2^61 - 1. */
	private static final long PRIME = (1L << 61) - 1;

	private final long place;

	private NameHash(long place) {
		this.place = place;
	}

	public static NameHash random() {
		return new NameHash(ThreadLocalRandom.current().nextLong(1L << 32, PRIME));
	}

	public int of(String text) {
		return hash(append(1, text));
	}

	/**
	 * Hashes a text without creating a string.
	 * @param text the text
	 * @return the hash; for ASCII texts, it is the hash of the equal string
	 */
	public int of(TextBytes text) {
		return hash(append(1, text));
	}

	public int of(String namespace, String name) {
		return hash(append(step(append(1, namespace), '/'), name));
	}

	private long append(long before, TextBytes text) {
		long value = before;
		int length = text.length();
		int at = 0;
		for (int end = length - 2; at < end; at += 3) {
			value = step(value, coefficient((text.at(at) & 0xff), (text.at(at + 1) & 0xff), (text.at(at + 2) & 0xff)));
		}
		return switch (length - at) {
			case 2 -> step(value, coefficient((text.at(at) & 0xff), (text.at(at + 1) & 0xff)));
			case 1 -> step(value, coefficient((text.at(at) & 0xff)));
			default -> value;
		};
	}

	private long append(long before, String text) {
		long value = before;
		int length = text.length();
		int at = 0;
		for (int end = length - 2; at < end; at += 3) {
			value = step(value, coefficient(text.charAt(at), text.charAt(at + 1), text.charAt(at + 2)));
		}
		return switch (length - at) {
			case 2 -> step(value, coefficient(text.charAt(at), text.charAt(at + 1)));
			case 1 -> step(value, coefficient(text.charAt(at)));
			default -> value;
		};
	}

	// The bits above the characters hold their number, so that different texts have
	// different coefficients.

	private static long coefficient(int first, int second, int third) {
		return first | (long) second << 16 | (long) third << 32 | 1L << 48;
	}

	private static long coefficient(int first, int second) {
		return first | (long) second << 16 | 1L << 32;
	}

	private static long coefficient(int first) {
		return first | 1L << 16;
	}

	private long step(long before, long coefficient) {
		return times(before, this.place) + coefficient;
	}

	// The bits from 2^61 on are added to the lower bits, because 2^61 is congruent to 1.
	private static long times(long one, long other) {
		long low = one * other;
		long high = Math.multiplyHigh(one, other);
		long product = (low & PRIME) + (low >>> 61 | high << 3);
		return (product >= PRIME) ? product - PRIME : product;
	}

	// The multiplication by the golden ratio mixes all bits into the upper ones.
	private static int hash(long value) {
		return (int) ((value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L >>> 32);
	}

}
