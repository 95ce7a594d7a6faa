package dev.kubeinformer.internal.codec.pool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Pool of strings, so that equal strings of many objects are one instance. It holds a
 * limited number of strings, and keeps a string longer if it was seen more than once.
 * Long strings are not pooled. A successful lookup does not allocate memory.
 * <p>
 * Not thread-safe: each reflector has its own pool.
 */
final class StringPool {

	/**
	 * Maximum length of a pooled string; longer ones seldom repeat and are slow to
	 * compare.
	 */
	private static final int LONGEST = 128;

	private static final int LEAST_SLOTS = 64;

	/**
	 * Initial number of slots of the table. The pool does not reserve memory for them in
	 * the budget.
	 */
	private static final int FIRST_SLOTS = 2;

	/** Retained bytes per slot of the table: the hash and a string of average length. */
	private static final int KEPT_OF_A_SLOT = 64;

	/**
	 * Number of new strings before the pool asks the budget for memory again, after a
	 * rejection.
	 */
	private static final int PATIENCE = 1024;

	private static final int MISSES_TO_FIRST = 8;

	/** Number of new strings between two checks of the number of cached objects. */
	private static final int STRINGS_A_CHECK = 256;

	private final int mostSlots;

	private final PoolBudget.Share share;

	/** Supplies the number of objects in the cache; zero if unknown. */
	private final IntSupplier present;

	/** Largest number of cached objects since the pool was last empty. */
	private int mostPresent;

	private int toNextCheck = STRINGS_A_CHECK;

	/** Number of new strings until the pool may ask for memory again. */
	private int patience;

	// The slots of the table form pairs. A new string occupies the second slot of its
	// pair. It moves to the first slot when it is seen again, so strings that never
	// repeat evict only each other. Occasionally a new string moves to the first slot at
	// once, so that no string stays permanently.

	private @Nullable String[] strings = new String[FIRST_SLOTS];

	private int[] hashes = new int[FIRST_SLOTS];

	private int taken;

	private int misses;

	private final byte[] bytes = new byte[LONGEST];

	private final char[] chars = new char[LONGEST];

	private final char[] others = new char[LONGEST];

	/**
	 * Creates a pool, which starts small.
	 * @param capacity the maximum number of strings, rounded up to a power of two of at
	 * least 64
	 * @param share the share in the memory budget
	 * @param present supplies the current number of cached objects; zero if unknown. If
	 * most of the objects are gone, the pool is emptied: their strings would stay in
	 * memory only for the pool
	 * @throws IllegalArgumentException if the capacity is not positive or above 2^24
	 */
	StringPool(int capacity, PoolBudget.Share share, IntSupplier present) {
		if (capacity < 1 || capacity > 1 << 24) {
			throw new IllegalArgumentException(
					"Invalid capacity '%d' of a string pool: use 1 to 2^24".formatted(capacity));
		}
		this.mostSlots = Math.max(LEAST_SLOTS, Integer.highestOneBit(2 * capacity - 1));
		this.share = share;
		this.present = present;
	}

	/**
	 * Returns the string that is encoded in bytes.
	 * @param utf8 the array with the bytes; invalid UTF-8 is replaced as by
	 * {@code String}
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @return the string
	 * @throws IndexOutOfBoundsException if an index is outside the array
	 */
	String get(byte[] utf8, int from, int to) {
		int length = to - from;
		if (length > LONGEST || length <= 0) {
			return (length != 0) ? new String(utf8, from, length, StandardCharsets.UTF_8) : "";
		}
		int hash = 0;
		int all = 0;
		for (int i = from; i < to; i++) {
			byte each = utf8[i];
			hash = 31 * hash + each;
			all |= each;
		}
		return get(utf8, from, to, hash, all >= 0);
	}

	/**
	 * Returns the string that is encoded in bytes with a known hash.
	 * @param utf8 the array with the bytes
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @param bytesHash the hash of the bytes, computed like {@code Arrays.hashCode} but
	 * with the initial value zero
	 * @param ascii {@code true} if no byte is negative
	 * @return the string
	 */
	String get(byte[] utf8, int from, int to, int bytesHash, boolean ascii) {
		int length = to - from;
		if (length > LONGEST || length <= 0) {
			return (length != 0) ? new String(utf8, from, length, StandardCharsets.UTF_8) : "";
		}
		int hash = tagged(bytesHash, ascii);
		int slot = slot(hash);
		if (this.hashes[slot] == hash && isString(this.strings[slot], utf8, from, length, ascii)) {
			return this.strings[slot];
		}
		if (this.hashes[slot + 1] == hash && isString(this.strings[slot + 1], utf8, from, length, ascii)) {
			return promoted(slot);
		}
		return remember(slot, hash, new String(utf8, from, length, StandardCharsets.UTF_8));
	}

	/**
	 * Returns the string that consists of characters.
	 * @param text the array with the characters
	 * @param from the index of the first character
	 * @param length the number of characters
	 * @return the string
	 */
	String get(char[] text, int from, int length) {
		if (length > LONGEST || length <= 0) {
			return (length != 0) ? new String(text, from, length) : "";
		}
		int hash = hash(text, from, length);
		int slot = slot(hash);
		if (this.hashes[slot] == hash && isString(this.strings[slot], text, from, length)) {
			return this.strings[slot];
		}
		if (this.hashes[slot + 1] == hash && isString(this.strings[slot + 1], text, from, length)) {
			return promoted(slot);
		}
		return remember(slot, hash, new String(text, from, length));
	}

	/**
	 * Returns the pooled instance of a string.
	 * @param value the string
	 * @return an equal string, which may be the given one
	 */
	String get(String value) {
		int length = value.length();
		if (length > LONGEST || length == 0) {
			return value;
		}
		value.getChars(0, length, this.chars, 0);
		int hash = hash(this.chars, 0, length);
		int slot = slot(hash);
		if (value.equals(this.strings[slot])) {
			return this.strings[slot];
		}
		return value.equals(this.strings[slot + 1]) ? promoted(slot) : remember(slot, hash, value);
	}

	private static int hash(char[] text, int from, int length) {
		int hash = 0;
		int all = 0;
		for (int i = from; i < from + length; i++) {
			hash = 31 * hash + text[i];
			all |= text[i];
		}
		return tagged(hash, all < 0x80);
	}

	// The lowest bit marks ASCII, so that strings with equal hashes are either all ASCII
	// or all non-ASCII.
	private static int tagged(int hash, boolean ascii) {
		return (hash << 1) | (ascii ? 0 : 1);
	}

	private int slot(int hash) {
		// The multiplication by the golden ratio mixes all bits of the hash into the
		// upper ones.
		return ((hash * 0x9E3779B9) >>> 7) & (this.strings.length - 2);
	}

	@SuppressWarnings("deprecation") // An ASCII string consists of its lower bytes.
	private boolean isString(@Nullable String known, byte[] utf8, int from, int length, boolean ascii) {
		if (known == null) {
			return false;
		}
		if (!ascii) {
			return isEncoded(known, utf8, from, length);
		}
		if (known.length() != length) {
			return false;
		}
		known.getBytes(0, length, this.bytes, 0);
		return Arrays.equals(this.bytes, 0, length, utf8, from, from + length);
	}

	private static boolean isEncoded(String known, byte[] utf8, int from, int length) {
		int at = from;
		int end = from + length;
		for (int i = 0; i < known.length();) {
			int point = known.codePointAt(i);
			i += Character.charCount(point);
			int size = (point < 0x80) ? 1 : (point < 0x800) ? 2 : (point < 0x10000) ? 3 : 4;
			if (Character.getType(point) == Character.SURROGATE || size > end - at
					|| utf8[at++] != firstByte(point, size)) {
				return false;
			}
			for (int shift = 6 * (size - 2); shift >= 0; shift -= 6) {
				if (utf8[at++] != (byte) (0x80 | ((point >> shift) & 0x3f))) {
					return false;
				}
			}
		}
		return at == end;
	}

	private static byte firstByte(int point, int size) {
		return (byte) switch (size) {
			case 1 -> point;
			case 2 -> 0xc0 | (point >> 6);
			case 3 -> 0xe0 | (point >> 12);
			default -> 0xf0 | (point >> 18);
		};
	}

	private boolean isString(@Nullable String known, char[] text, int from, int length) {
		if (known == null || known.length() != length) {
			return false;
		}
		known.getChars(0, length, this.others, 0);
		return Arrays.equals(this.others, 0, length, text, from, from + length);
	}

	private String promoted(int slot) {
		String seenAgain = Objects.requireNonNull(this.strings[slot + 1]);
		int hash = this.hashes[slot + 1];
		put(slot + 1, this.hashes[slot], this.strings[slot]);
		put(slot, hash, seenAgain);
		return seenAgain;
	}

	private String remember(int slot, int hash, String value) {
		boolean replaces = this.strings[slot] != null && this.strings[slot + 1] != null;
		if (this.strings[slot] == null) {
			put(slot, hash, value);
		}
		else if (this.misses++ % MISSES_TO_FIRST != 0) {
			put(slot + 1, hash, value);
		}
		else {
			put(slot + 1, this.hashes[slot], this.strings[slot]);
			put(slot, hash, value);
		}
		this.taken += replaces ? 0 : 1;
		if (--this.toNextCheck == 0) {
			forgetIfObjectsAreGone();
		}
		if (this.share.isExcessive() && this.strings.length > FIRST_SLOTS) {
			shrink();
		}
		else if (this.strings.length < this.mostSlots && this.taken >= this.strings.length / (replaces ? 8 : 4)
				&& mayGrow()) {
			grow();
		}
		return value;
	}

	private void forgetIfObjectsAreGone() {
		this.toNextCheck = STRINGS_A_CHECK;
		int now = this.present.getAsInt();
		if (now > 0 && now < this.mostPresent / 2) {
			this.share.release((long) KEPT_OF_A_SLOT * (this.strings.length - FIRST_SLOTS));
			this.strings = new String[FIRST_SLOTS];
			this.hashes = new int[FIRST_SLOTS];
			this.taken = 0;
			this.patience = 0;
			this.mostPresent = now;
		}
		this.mostPresent = Math.max(this.mostPresent, now);
	}

	private boolean mayGrow() {
		if (this.patience > 0) {
			this.patience--;
			return false;
		}
		boolean granted = this.share.reserve((long) KEPT_OF_A_SLOT * this.strings.length);
		this.patience = granted ? 0 : PATIENCE;
		return granted;
	}

	private void put(int place, int hash, @Nullable String value) {
		this.strings[place] = value;
		this.hashes[place] = hash;
	}

	private void shrink() {
		@Nullable String[] oldStrings = this.strings;
		int[] oldHashes = this.hashes;
		int size = oldStrings.length / 2;
		this.strings = new String[size];
		this.hashes = new int[size];
		this.taken = 0;
		// Move the strings in first slots first, because they were seen more than once.
		for (int i = 0; i < 2; i++) {
			for (int from = i; from < oldStrings.length; from += 2) {
				if (oldStrings[from] != null) {
					keep(oldHashes[from], oldStrings[from]);
				}
			}
		}
		this.share.release((long) KEPT_OF_A_SLOT * size);
	}

	private void keep(int hash, String value) {
		int slot = slot(hash);
		int free = (this.strings[slot] == null) ? slot : slot + 1;
		if (this.strings[free] == null) {
			put(free, hash, value);
			this.taken++;
		}
	}

	/**
	 * Returns the number of slots of the table.
	 * @return the number of slots
	 */
	int slots() {
		return this.strings.length;
	}

	private void grow() {
		@Nullable String[] oldStrings = this.strings;
		int[] oldHashes = this.hashes;
		this.strings = new String[2 * oldStrings.length];
		this.hashes = new int[2 * oldHashes.length];
		// Each string moves to one of two pairs, and no other pair of the old table moves
		// to these. So there is always a free slot.
		for (int i = 0; i < oldStrings.length; i++) {
			if (oldStrings[i] != null) {
				int slot = slot(oldHashes[i]);
				put((this.strings[slot] != null) ? slot + 1 : slot, oldHashes[i], oldStrings[i]);
			}
		}
	}

}
