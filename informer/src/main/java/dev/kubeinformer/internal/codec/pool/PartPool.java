package dev.kubeinformer.internal.codec.pool;

import java.util.function.IntSupplier;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

/**
 * Pool of decoded parts of objects, by their encoded bytes. A part is a value in an
 * object, such as a list, a map or a nested model.
 * <p>
 * <b>Problem.</b> The pods of one application differ only slightly. Decoded separately,
 * each has its own copy of the same containers, volumes and labels. The pool turns equal
 * parts into one instance and decodes them once. But the pool must not need more memory
 * than it saves, and it is unknown in advance which parts repeat.
 * <p>
 * <b>Idea.</b> A {@link ByteRing} keeps the encoded bytes of the newest parts. A hash
 * table finds a part by its {@link PartKind} and the CRC of its bytes, and the bytes in
 * the ring confirm the match. The table consists of pairs of slots. A new part occupies
 * the second slot of its pair. It moves to the first slot when it is found again, so
 * parts that never repeat evict only each other. If a part is found shortly before its
 * bytes would be overwritten, the bytes are written again. If parts of a kind hardly ever
 * repeat, lookups of this kind pause for a while, except for a sample.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>A part is returned only if all of its bytes are in the ring and equal: a collision
 * of hashes costs time, never a wrong object.</li>
 * <li>A slot whose bytes were overwritten is never found. {@link #sweep} empties it
 * before another half of the ring is written, so the size of the ring also limits the
 * number of parts.</li>
 * <li>Memory is reserved from the budget before it is allocated. Without free budget, the
 * pool does not grow, or stays empty.</li>
 * <li>The ring has at most a sixteenth of the bytes of all existing objects, plus a
 * quarter of the bytes that lookups have found. So objects and pool together never need
 * more memory than the objects without a pool.</li>
 * </ul>
 * <b>Rejected alternatives.</b> A pool that starts with 16 KiB and grows regardless of
 * its savings, and limits of twice the current size: both need too much memory for small
 * caches. A limit for each pool only: the pools of many informers add up, so they share a
 * {@link PoolBudget}. Keeping all memory after a list: if 200 000 pods were divided into
 * five shards, each shard needed 1.15 to 1.17 times a fifth of the memory; if the pool
 * keeps only an eighth of its memory, 1.11 to 1.13 times. Trials without a sample: parts
 * that repeat a thousand objects apart were not found.
 * <p>
 * <b>Cost.</b> A lookup is one CRC of the part and at most two comparisons. In the
 * budget, a byte of the ring counts as two bytes, and a slot as 24. Thirteen informers
 * that cache 300 small pods each retain 4.2 MB with pools and 4.7 MB without.
 * <p>
 * Not thread-safe: each reflector has its own pool, used only by its thread.
 */
public final class PartPool {

	/**
	 * Maximum number of encoded bytes; enough for the common parts of the pods of a
	 * thousand applications.
	 */
	public static final int MOST_BYTES = 1 << 22;

	private static final int FIRST_BYTES = 1 << 10;

	private static final int FIRST_SLOTS = 1 << 5;

	/**
	 * Number of bytes of cached objects per byte of the ring. This part of the ring
	 * serves to find out whether parts repeat.
	 */
	private static final int TO_FIND_OUT = 16;

	/**
	 * Number of bytes that lookups have found, per further byte of the ring.
	 */
	private static final int TO_FIND = 4;

	/**
	 * Divisor of the pool's size. The result is the maximum size of a part; a larger one
	 * would evict too many others.
	 */
	private static final int PARTS = 8;

	/**
	 * Factor by which the ring may exceed its bound. If it is larger, the pool is
	 * emptied.
	 */
	private static final int MUCH_LARGER = 8;

	/** Encoded bytes per slot; few parts are shorter. */
	private static final int BYTES_A_SLOT = 64;

	/**
	 * Minimum number of bytes of the ring per slot. Most slots of a large pool stay
	 * empty.
	 */
	private static final int BYTES_OF_MANY_SLOTS = 32;

	/** Retained bytes per encoded byte: the byte and its decoded form. */
	private static final int KEPT_OF_A_BYTE = 2;

	/**
	 * Retained bytes per slot: references to the part and its kind, hash, length and
	 * start.
	 */
	private static final int KEPT_OF_A_SLOT = 24;

	private static final int HALVINGS_TO_REST = 3;

	/**
	 * Number of objects to read before the pool asks the budget for memory again, after a
	 * rejection.
	 */
	private static final int PATIENCE = 256;

	private final int mostBytes;

	/** Current maximum number of encoded bytes; lower between lists. */
	private int most;

	private final PoolBudget.Share share;

	/** Value of {@link #objects} at which the pool may ask for memory again. */
	private long askAgain;

	/** Supplies the number of objects in the cache; zero if unknown. */
	private final IntSupplier present;

	/** Number of objects that were read. */
	private long objects;

	private long objectBytes;

	private long foundBytes;

	/** Current bound of the ring in bytes. */
	private int bound = FIRST_BYTES;

	private final CRC32 crc = new CRC32();

	private final PartKinds kinds = new PartKinds();

	private final ByteRing ring = new ByteRing(FIRST_BYTES);

	private @Nullable Object[] parts = new Object[0];

	private @Nullable PartKind[] kindOf = new PartKind[0];

	private int[] hashes = new int[0];

	private int[] lengths = new int[0];

	/** Position in the ring of each part's first byte. */
	private long[] starts = new long[0];

	private int taken;

	/** Slot of the table that {@link #sweep} has visited last. */
	private int swept;

	/**
	 * Creates a pool that starts small. The objects of its reader all stay in memory.
	 * @param bytes the maximum number of encoded bytes, rounded down to a power of two of
	 * at least 1024
	 */
	public PartPool(int bytes) {
		this(bytes, () -> 0);
	}

	/**
	 * Creates a pool that starts small.
	 * @param bytes the maximum number of encoded bytes, rounded down to a power of two of
	 * at least 1024
	 * @param present supplies the current number of cached objects. If it returns zero,
	 * the number is unknown, and all objects that were read count
	 */
	public PartPool(int bytes, IntSupplier present) {
		this(bytes, present, PoolBudget.unbounded());
	}

	/**
	 * Creates a pool that starts small. While the budget is used up, it stays empty.
	 * @param bytes the maximum number of encoded bytes, rounded down to a power of two of
	 * at least 1024
	 * @param present supplies the current number of cached objects. If it returns zero,
	 * the number is unknown, and all objects that were read count
	 * @param share the share in the memory budget
	 */
	public PartPool(int bytes, IntSupplier present, PoolBudget.Share share) {
		this.share = share;
		this.mostBytes = Math.max(FIRST_BYTES, Integer.highestOneBit(bytes));
		this.most = this.mostBytes;
		this.present = present;
		open();
	}

	private void open() {
		if (reserved(kept(FIRST_BYTES, FIRST_SLOTS))) {
			this.ring.clear();
			slots(FIRST_SLOTS);
		}
	}

	private static long kept(long bytes, long slots) {
		return KEPT_OF_A_BYTE * bytes + KEPT_OF_A_SLOT * slots;
	}

	private boolean reserved(long more) {
		if (this.objects < this.askAgain) {
			return false;
		}
		if (this.share.reserve(more)) {
			return true;
		}
		this.askAgain = this.objects + PATIENCE;
		return false;
	}

	/**
	 * Records that the parts of another object follow.
	 * @param length the length of the object in bytes
	 */
	public void object(int length) {
		this.objects++;
		this.objectBytes += length;
		int known = this.present.getAsInt();
		double there = ((known > 0) ? known : this.objects) / (double) this.objects;
		double worth = there * ((double) this.objectBytes / TO_FIND_OUT + (double) this.foundBytes / TO_FIND);
		this.bound = Integer.highestOneBit((int) Math.max(FIRST_BYTES, Math.min(worth, this.most)));
		if (this.ring.size() / MUCH_LARGER >= this.bound) {
			clear();
		}
		else if (this.ring.size() == 0) {
			open();
		}
		else if (this.share.isExcessive()) {
			shrink();
		}
	}

	/**
	 * Allows the pool to use all of its memory again, because many objects follow.
	 */
	public void work() {
		this.most = this.mostBytes;
	}

	/**
	 * Releases most of the memory after a full list, because single changes follow. Until
	 * the next list, the pool keeps the newest parts and an eighth of the memory. More
	 * memory would not help: the parts of a changed object seldom equal parts that were
	 * read long ago.
	 */
	public void rest() {
		this.most = Math.max(FIRST_BYTES, this.mostBytes >> HALVINGS_TO_REST);
		for (int i = 0; i < HALVINGS_TO_REST; i++) {
			shrink();
		}
	}

	private void shrink() {
		long before = kept(this.ring.size(), this.parts.length);
		if (this.ring.size() > FIRST_BYTES) {
			this.ring.shrink();
		}
		if (this.parts.length > FIRST_SLOTS) {
			resizeSlots(this.parts.length / 2);
		}
		long less = before - kept(this.ring.size(), this.parts.length);
		if (less > 0) {
			this.share.release(less);
		}
	}

	/**
	 * Returns the kind of the parts that a decoder returns in a shape.
	 * @param decoder the decoder
	 * @param shape {@link PartKind#SINGLE}, {@link PartKind#LIST} or {@link PartKind#MAP}
	 * @return the kind
	 */
	public PartKind kind(Object decoder, int shape) {
		return this.kinds.of(decoder, shape);
	}

	/**
	 * Returns whether it is worth looking up a part of an object: the lookup must be
	 * likely to save more than it costs.
	 * @param kind the kind of the part
	 * @param bytes the array with the bytes of the part
	 * @param from the index of the first byte
	 * @param length the number of bytes
	 * @return {@code true} if the part should be looked up
	 */
	public boolean isWorth(PartKind kind, byte[] bytes, int from, int length) {
		int size = (this.objects < this.askAgain) ? this.ring.size() : this.bound;
		return this.ring.size() > 0 && length <= Math.max(FIRST_BYTES, size / PARTS)
				&& kind.isWorth(bytes, from, length);
	}

	/**
	 * Returns the hash of the bytes of a part.
	 * @param bytes the array with the bytes
	 * @param from the index of the first byte
	 * @param length the number of bytes
	 * @return the hash
	 */
	public int hash(byte[] bytes, int from, int length) {
		this.crc.reset();
		this.crc.update(bytes, from, length);
		return ((int) this.crc.getValue() + length) * 0x9E3779B9;
	}

	/**
	 * Finds a part of an object, such as a list of containers, that was decoded from
	 * equal bytes.
	 * @param kind the kind of the part
	 * @param hash the hash of its bytes
	 * @param bytes the array with its bytes
	 * @param from the index of the first byte
	 * @param length the number of bytes
	 * @return the decoded part; {@code null} if the pool does not have it
	 */
	public @Nullable Object find(PartKind kind, int hash, byte[] bytes, int from, int length) {
		int first = slot(kind, hash);
		int slot = is(first, kind, hash, bytes, from, length) ? first : first + 1;
		if (slot != first && !is(slot, kind, hash, bytes, from, length)) {
			return null;
		}
		found(kind, length);
		keep(slot);
		if (slot != first) {
			swap(first, slot);
		}
		return this.parts[first];
	}

	private void found(PartKind kind, int length) {
		kind.found();
		this.foundBytes += length;
	}

	private int slot(PartKind kind, int hash) {
		return ((hash ^ kind.hash()) >>> 7) & (this.parts.length - 2);
	}

	private boolean is(int slot, PartKind kind, int hash, byte[] bytes, int from, int length) {
		return this.hashes[slot] == hash && this.kindOf[slot] == kind && this.lengths[slot] == length
				&& this.ring.holds(this.starts[slot]) && this.ring.equals(this.starts[slot], bytes, from, length);
	}

	/**
	 * Writes the bytes of a part again if they would soon be overwritten.
	 * @param slot the slot of the part in the table
	 */
	private void keep(int slot) {
		if (this.ring.isOld(this.starts[slot])) {
			this.starts[slot] = this.ring.rewrite(this.starts[slot], this.lengths[slot], room(this.lengths[slot]));
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
	 * Adds a part of an object that was not found.
	 * @param kind the kind of the part
	 * @param hash the hash of its bytes
	 * @param bytes the array with its bytes
	 * @param from the index of the first byte
	 * @param length the number of bytes
	 * @param part the part
	 */
	public void add(PartKind kind, int hash, byte[] bytes, int from, int length, Object part) {
		int room = room(length);
		if (length > room) {
			return;
		}
		long start = this.ring.write(bytes, from, length, room);
		int mostSlots = Math.min(this.most / BYTES_A_SLOT, this.ring.size() / BYTES_OF_MANY_SLOTS);
		if (this.taken > this.parts.length / 4 && this.parts.length < mostSlots
				&& reserved(kept(0, this.parts.length))) {
			resizeSlots(2 * this.parts.length);
		}
		int slot = slot(kind, hash) + 1;
		if (this.parts[slot] == null) {
			this.taken++;
		}
		put(slot, kind, hash, length, start, part);
		sweep(length);
	}

	/**
	 * Reserves memory for more bytes, as far as the bound and the budget allow it.
	 * @param length the number of bytes
	 * @return the size up to which the ring may grow
	 */
	private int room(int length) {
		int size = this.ring.size();
		int wanted = this.ring.sizeWith(length, this.bound);
		return (wanted > size && reserved(kept(wanted - size, 0))) ? wanted : size;
	}

	/**
	 * Drops parts whose bytes were overwritten. Visits all slots of the table once while
	 * half of the ring is written. So the size of the ring also limits the number of
	 * parts in memory.
	 * @param length the number of written bytes
	 */
	private void sweep(int length) {
		int slots = this.parts.length;
		long due = Math.min(slots, 1 + 2L * slots * length / this.ring.size());
		for (int i = 0; i < due; i++) {
			this.swept = (this.swept + 1) & (slots - 1);
			if (this.parts[this.swept] != null && !this.ring.holds(this.starts[this.swept])) {
				put(this.swept, null, 0, 0, 0, null);
				this.taken--;
			}
		}
	}

	/**
	 * Discards all parts and returns to the initial capacity.
	 */
	public void clear() {
		if (this.ring.size() > 0) {
			this.share.release(kept(this.ring.size() - FIRST_BYTES, this.parts.length - FIRST_SLOTS));
			this.ring.clear();
			slots(FIRST_SLOTS);
		}
	}

	private void slots(int size) {
		this.parts = new Object[size];
		this.kindOf = new PartKind[size];
		this.hashes = new int[size];
		this.lengths = new int[size];
		this.starts = new long[size];
		this.taken = 0;
		this.swept = 0;
	}

	/**
	 * Returns the number of parts in memory.
	 * @return the number of parts
	 */
	int size() {
		return this.taken;
	}

	/**
	 * Returns the capacity in encoded bytes.
	 * @return the number of bytes
	 */
	int bytes() {
		return this.ring.size();
	}

	private void put(int slot, @Nullable PartKind kind, int hash, int length, long start, @Nullable Object part) {
		this.parts[slot] = part;
		this.kindOf[slot] = kind;
		this.hashes[slot] = hash;
		this.lengths[slot] = length;
		this.starts[slot] = start;
	}

	private void resizeSlots(int size) {
		@Nullable Object[] oldParts = this.parts;
		@Nullable PartKind[] oldKinds = this.kindOf;
		int[] oldHashes = this.hashes;
		int[] oldLengths = this.lengths;
		long[] oldStarts = this.starts;
		slots(size);
		for (int i = 0; i < oldParts.length; i++) {
			PartKind kind = oldKinds[i];
			if (kind != null && this.ring.holds(oldStarts[i])) {
				int slot = slot(kind, oldHashes[i]);
				slot += (this.parts[slot] != null) ? 1 : 0;
				this.taken += (this.parts[slot] != null) ? 0 : 1;
				put(slot, kind, oldHashes[i], oldLengths[i], oldStarts[i], oldParts[i]);
			}
		}
	}

}
