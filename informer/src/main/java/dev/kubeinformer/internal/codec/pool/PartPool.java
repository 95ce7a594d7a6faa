package dev.kubeinformer.internal.codec.pool;

import java.util.Arrays;
import java.util.function.IntSupplier;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

/**
 * Finds parts of objects that were there before, by their encoded bytes, so that equal
 * parts of many objects are one instance, and are decoded once. It remembers the newest
 * parts, and those that were found again, up to a bound of encoded bytes. Parts of kinds
 * that hardly ever repeat are not looked for, except now and then.
 * <p>
 * What it remembers costs memory, too: it grows with the objects that there are, and with
 * what it saves of them, so that objects with a pool never take more than without.
 * <p>
 * It is not thread-safe: each reflector has its own.
 */
public final class PartPool {

	/** Enough for what the pods of a thousand applications have in common. */
	public static final int MOST_BYTES = 1 << 22;

	private static final int FIRST_BYTES = 1 << 10;

	private static final int FIRST_SLOTS = 1 << 5;

	/** Of the bytes of all objects, one in so many is worth to find out what repeats. */
	private static final int TO_FIND_OUT = 16;

	/** Of the bytes that were found again, one in so many is worth to find them. */
	private static final int TO_FIND = 4;

	/** Larger parts would drive out too many others. */
	private static final int PARTS = 8;

	/** A pool that is so much larger than it should be is given up. */
	private static final int MUCH_LARGER = 8;

	/** Shape of a part that is one value. */
	public static final int SINGLE = 0;

	/** Shape of a part that is a list of values. */
	public static final int LIST = 1;

	/** Shape of a part that is a map of values. */
	public static final int MAP = 2;

	/** Few parts are shorter. */
	private static final int BYTES_A_SLOT = 64;

	/** Slots for each of so many bytes, most of which are not taken. */
	private static final int BYTES_OF_MANY_SLOTS = 32;

	private final int mostBytes;

	/** How many objects there are; zero if that is not known yet. */
	private final IntSupplier present;

	/** How many objects were read, of how many bytes, and how many of these found. */
	private long objects;

	private long objectBytes;

	private long foundBytes;

	/** How many bytes it may remember now. */
	private int bound = FIRST_BYTES;

	private final CRC32 crc = new CRC32();

	private Kind[] kinds = new Kind[32];

	private int kindCount;

	/** The bytes of the newest parts; the oldest ones are overwritten. */
	private byte[] ring = new byte[FIRST_BYTES];

	/** How many bytes have been written to the ring so far. */
	private long written;

	// Slots come in pairs. A part that is new takes the second of a pair, and the first
	// one when it is found again: parts that never repeat drive out only each other.

	private @Nullable Object[] parts = new Object[FIRST_SLOTS];

	private @Nullable Kind[] kindOf = new Kind[FIRST_SLOTS];

	private int[] hashes = new int[FIRST_SLOTS];

	private int[] lengths = new int[FIRST_SLOTS];

	/** Where the bytes of a part begin, counted from the first that was ever written. */
	private long[] starts = new long[FIRST_SLOTS];

	private int taken;

	/** The slot that was looked at last for a part whose bytes are gone. */
	private int swept;

	/** Where the bytes begin that are still there since the ring has grown last. */
	private long oldest;

	/**
	 * Creates a pool for objects that all stay. It begins small.
	 * @param bytes how many encoded bytes it remembers at most; rounded down to a power
	 * of two of at least 1024
	 */
	public PartPool(int bytes) {
		this(bytes, () -> 0);
	}

	/**
	 * Creates a pool. It begins small.
	 * @param bytes how many encoded bytes it remembers at most; rounded down to a power
	 * of two of at least 1024
	 * @param present how many objects there are now; zero if it is not known, and all
	 * that were read count
	 */
	public PartPool(int bytes, IntSupplier present) {
		this.mostBytes = Math.max(FIRST_BYTES, Integer.highestOneBit(bytes));
		this.present = present;
	}

	/**
	 * The next parts are those of another object.
	 * @param length how many bytes it has
	 */
	public void object(int length) {
		this.objects++;
		this.objectBytes += length;
		int known = this.present.getAsInt();
		double there = ((known > 0) ? known : this.objects) / (double) this.objects;
		double worth = there * ((double) this.objectBytes / TO_FIND_OUT + (double) this.foundBytes / TO_FIND);
		this.bound = Integer.highestOneBit((int) Math.max(FIRST_BYTES, Math.min(worth, this.mostBytes)));
		if (this.ring.length / MUCH_LARGER >= this.bound) {
			clear();
		}
	}

	/**
	 * What is decoded by one decoder, alone or as a list or a map of it.
	 * @param decoder the decoder
	 * @param shape {@link #SINGLE}, {@link #LIST} or {@link #MAP}
	 * @return the kind
	 */
	public Kind kind(Object decoder, int shape) {
		int mask = this.kinds.length - 1;
		int slot = (4 * System.identityHashCode(decoder) + shape) & mask;
		for (Kind kind = this.kinds[slot]; kind != null; kind = this.kinds[slot]) {
			if (kind.decoder == decoder && kind.shape == shape) {
				return kind;
			}
			slot = (slot + 1) & mask;
		}
		Kind added = new Kind(decoder, shape);
		this.kinds[slot] = added;
		this.kindCount++;
		if (2 * this.kindCount > this.kinds.length) {
			growKinds();
		}
		return added;
	}

	private void growKinds() {
		Kind[] before = this.kinds;
		this.kinds = new Kind[2 * before.length];
		this.kindCount = 0;
		for (Kind kind : before) {
			if (kind != null) {
				int slot = (4 * System.identityHashCode(kind.decoder) + kind.shape) & (this.kinds.length - 1);
				while (this.kinds[slot] != null) {
					slot = (slot + 1) & (this.kinds.length - 1);
				}
				this.kinds[slot] = kind;
				this.kindCount++;
			}
		}
	}

	/**
	 * Whether it is worth to look for a part.
	 * @param kind its kind
	 * @param length how many bytes it has
	 * @return whether it is
	 */
	public boolean isWorth(Kind kind, int length) {
		return length <= Math.max(FIRST_BYTES, this.bound / PARTS) && kind.isWorth();
	}

	/**
	 * Returns the hash of the bytes of a part.
	 * @param bytes the array with its bytes
	 * @param from index of the first one
	 * @param length how many there are
	 * @return the hash
	 */
	public int hash(byte[] bytes, int from, int length) {
		this.crc.reset();
		this.crc.update(bytes, from, length);
		return ((int) this.crc.getValue() + length) * 0x9E3779B9;
	}

	/**
	 * Finds a part.
	 * @param kind its kind
	 * @param hash the hash of its bytes
	 * @param bytes the array with its bytes
	 * @param from index of the first one
	 * @param length how many there are
	 * @return the part; {@code null} if there is none of such bytes
	 */
	public @Nullable Object find(Kind kind, int hash, byte[] bytes, int from, int length) {
		int slot = slot(kind, hash);
		if (is(slot, kind, hash, bytes, from, length)) {
			found(kind, length);
			keep(slot);
			return this.parts[slot];
		}
		if (is(slot + 1, kind, hash, bytes, from, length)) {
			found(kind, length);
			keep(slot + 1);
			swap(slot, slot + 1);
			return this.parts[slot];
		}
		return null;
	}

	private void found(Kind kind, int length) {
		kind.found();
		this.foundBytes += length;
	}

	private int slot(Kind kind, int hash) {
		return ((hash ^ kind.hash) >>> 7) & (this.parts.length - 2);
	}

	private boolean is(int slot, Kind kind, int hash, byte[] bytes, int from, int length) {
		if (this.hashes[slot] != hash || this.kindOf[slot] != kind || this.lengths[slot] != length || !isInRing(slot)) {
			return false;
		}
		int start = (int) (this.starts[slot] & (this.ring.length - 1));
		return Arrays.equals(this.ring, start, start + length, bytes, from, from + length);
	}

	private boolean isInRing(int slot) {
		return this.starts[slot] >= Math.max(this.oldest, this.written - this.ring.length);
	}

	/**
	 * Writes the bytes of a part again before they are overwritten.
	 * @param slot the slot of the part
	 */
	private void keep(int slot) {
		if (this.starts[slot] < this.written - this.ring.length / 2) {
			int start = (int) (this.starts[slot] & (this.ring.length - 1));
			this.starts[slot] = write(this.ring, start, this.lengths[slot]);
		}
	}

	private void swap(int slot, int other) {
		swap(this.parts, slot, other);
		swap(this.kindOf, slot, other);
		int hash = this.hashes[slot];
		this.hashes[slot] = this.hashes[other];
		this.hashes[other] = hash;
		int length = this.lengths[slot];
		this.lengths[slot] = this.lengths[other];
		this.lengths[other] = length;
		long start = this.starts[slot];
		this.starts[slot] = this.starts[other];
		this.starts[other] = start;
	}

	private static void swap(@Nullable Object[] array, int one, int other) {
		Object value = array[one];
		array[one] = array[other];
		array[other] = value;
	}

	/**
	 * Remembers a part that was not found.
	 * @param kind its kind
	 * @param hash the hash of its bytes
	 * @param bytes the array with its bytes
	 * @param from index of the first one
	 * @param length how many there are
	 * @param part the part
	 */
	public void add(Kind kind, int hash, byte[] bytes, int from, int length, Object part) {
		long start = write(bytes, from, length);
		int mostSlots = Math.min(this.mostBytes / BYTES_A_SLOT, this.ring.length / BYTES_OF_MANY_SLOTS);
		if (this.taken > this.parts.length / 4 && this.parts.length < mostSlots) {
			growSlots();
		}
		int slot = slot(kind, hash) + 1;
		if (this.parts[slot] == null) {
			this.taken++;
		}
		put(slot, kind, hash, length, start, part);
		sweep(length);
	}

	/**
	 * Lets go of parts whose bytes were overwritten. All slots are looked at before half
	 * of the ring is written, so that the parts in memory are bounded by their bytes,
	 * too.
	 * @param length how many bytes were written
	 */
	private void sweep(int length) {
		int slots = this.parts.length;
		long due = Math.min(slots, 1 + 2L * slots * length / this.ring.length);
		for (int i = 0; i < due; i++) {
			this.swept = (this.swept + 1) & (slots - 1);
			if (this.parts[this.swept] != null && !isInRing(this.swept)) {
				put(this.swept, null, 0, 0, 0, null);
				this.taken--;
			}
		}
	}

	/**
	 * Forgets all parts, and is as small as at first.
	 */
	public void clear() {
		this.ring = new byte[FIRST_BYTES];
		this.written = 0;
		this.oldest = 0;
		slots(FIRST_SLOTS);
	}

	private void slots(int size) {
		this.parts = new Object[size];
		this.kindOf = new Kind[size];
		this.hashes = new int[size];
		this.lengths = new int[size];
		this.starts = new long[size];
		this.taken = 0;
		this.swept = 0;
	}

	/**
	 * How many parts are in memory.
	 * @return the number
	 */
	int size() {
		return this.taken;
	}

	/**
	 * How many encoded bytes have room.
	 * @return the number
	 */
	int bytes() {
		return this.ring.length;
	}

	private void put(int slot, @Nullable Kind kind, int hash, int length, long start, @Nullable Object part) {
		this.parts[slot] = part;
		this.kindOf[slot] = kind;
		this.hashes[slot] = hash;
		this.lengths[slot] = length;
		this.starts[slot] = start;
	}

	private long write(byte[] bytes, int from, int length) {
		if (this.written - this.oldest + length > this.ring.length && this.ring.length < this.bound) {
			growRing(length);
		}
		int at = (int) (this.written & (this.ring.length - 1));
		if (at + length > this.ring.length) {
			this.written += this.ring.length - at;
			at = 0;
		}
		System.arraycopy(bytes, from, this.ring, at, length);
		long start = this.written;
		this.written += length;
		return start;
	}

	private void growRing(int length) {
		byte[] before = this.ring;
		this.oldest = Math.max(this.oldest, this.written - before.length);
		int size = before.length;
		while (size < this.bound && this.written - this.oldest + length > size) {
			size *= 2;
		}
		this.ring = new byte[size];
		// What lay at the end and at the beginning lies side by side now.
		for (long at = this.oldest; at < this.written;) {
			int from = (int) (at & (before.length - 1));
			int to = (int) (at & (size - 1));
			int count = (int) Math.min(this.written - at, before.length - from);
			System.arraycopy(before, from, this.ring, to, count);
			at += count;
		}
	}

	private void growSlots() {
		@Nullable Object[] oldParts = this.parts;
		@Nullable Kind[] oldKinds = this.kindOf;
		int[] oldHashes = this.hashes;
		int[] oldLengths = this.lengths;
		long[] oldStarts = this.starts;
		slots(2 * oldParts.length);
		for (int i = 0; i < oldParts.length; i++) {
			Kind kind = oldKinds[i];
			if (kind != null && oldStarts[i] >= Math.max(this.oldest, this.written - this.ring.length)) {
				int slot = slot(kind, oldHashes[i]);
				slot += (this.parts[slot] != null) ? 1 : 0;
				this.taken += (this.parts[slot] != null) ? 0 : 1;
				put(slot, kind, oldHashes[i], oldLengths[i], oldStarts[i], oldParts[i]);
			}
		}
	}

	/**
	 * Parts of one kind, and how often they repeat.
	 */
	public static final class Kind {

		/** How many are looked for before it is decided whether more are. */
		private static final int TRIAL = 32;

		/** Found less often than one in so many, they are left alone for a while. */
		private static final int RARE = 8;

		private static final int SHORTEST_PAUSE = 256;

		private static final int LONGEST_PAUSE = 8192;

		private final Object decoder;

		private final int shape;

		private final int hash;

		private int asked;

		private int found;

		private int pause = SHORTEST_PAUSE;

		private int paused;

		Kind(Object decoder, int shape) {
			this.decoder = decoder;
			this.shape = shape;
			this.hash = (System.identityHashCode(decoder) + shape) * 0x85EBCA6B;
		}

		boolean isWorth() {
			if (this.paused > 0) {
				this.paused--;
				return false;
			}
			if (this.asked == TRIAL) {
				boolean rare = this.found * RARE < this.asked;
				this.asked = 0;
				this.found = 0;
				if (rare) {
					this.paused = this.pause;
					this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
					return false;
				}
				this.pause = SHORTEST_PAUSE;
			}
			this.asked++;
			return true;
		}

		void found() {
			this.found++;
		}

	}

}
