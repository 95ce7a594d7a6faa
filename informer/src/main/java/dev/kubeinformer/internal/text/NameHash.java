package dev.kubeinformer.internal.text;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Hash of texts that cannot be predicted. An attacker may choose many names of one
 * {@link String#hashCode()}, but does not know the random numbers used here.
 * <p>
 * It is the value of the polynomial whose coefficients are the characters, at a random
 * place, modulo a prime: two texts have the same at hardly any place.
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

	public int of(String namespace, String name) {
		return hash(append(times(append(1, namespace), this.place) + '/', name));
	}

	/**
	 * Hashes a key that is not there as strings.
	 * @param namespace the namespace
	 * @param name the name
	 * @return the hash of the strings, if all characters are of ASCII
	 */
	public int of(TextBytes namespace, TextBytes name) {
		return hash(append(times(append(1, namespace), this.place) + '/', name));
	}

	private long append(long before, TextBytes text) {
		long value = before;
		for (int i = 0; i < text.length(); i++) {
			value = times(value, this.place) + text.at(i);
		}
		return value;
	}

	private long append(long before, String text) {
		long value = before;
		for (int i = 0; i < text.length(); i++) {
			value = times(value, this.place) + text.charAt(i);
		}
		return value;
	}

	// Of 2^61 each, one is left.
	private static long times(long one, long other) {
		long low = one * other;
		long high = Math.multiplyHigh(one, other);
		long product = (low & PRIME) + (low >>> 61 | high << 3);
		return (product >= PRIME) ? product - PRIME : product;
	}

	// Multiplied by the golden ratio, all bits of the value are in the upper ones.
	private static int hash(long value) {
		return (int) ((value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L >>> 32);
	}

}
