package dev.kubeinformer.internal.store;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Objects whose names have hashes next to each other, in the order of the hashes, and
 * those of one hash in the order of the names. Immutable.
 * <p>
 * What a read looks at lies side by side: where the names of some hashes are, a byte of
 * each hash, the texts of the names, and the objects. The entries, and the strings of
 * their names, are spread over the heap: a look at each would cost a miss of the
 * processor's caches.
 * <p>
 * A read also takes the same way for each name, with no loop that ends now here, now
 * there. A processor that can foresee the way fetches the text and the object together,
 * and for the next read as well, instead of one after the other.
 *
 * @param <T> the model class
 */
final class NamePage<T> {

	/**
	 * Names up to this length whose characters take a byte are kept as text. DNS allows
	 * no longer labels, and most names are such.
	 */
	static final int LONGEST_TEXT = 63;

	/** Names in a group, on the average. */
	private static final int NAMES_OF_A_GROUP = 3;

	/** Names of a group that are compared at once, by a byte of their hashes each. */
	private static final int AT_ONCE = 8;

	/** Places in a word of the index. */
	private static final int PLACES = 4;

	/** A place has two bytes. Longer pages have no index. */
	private static final int HIGHEST_PLACE = 0xFFFF;

	private static final long EACH_BYTE = 0x0101010101010101L;

	private static final long[] NO_INDEX = {};

	/** Where there is an index only changes look at them. */
	private final int[] hashes;

	/**
	 * For each group the place of its first name, and the end of the last one; then for
	 * each name the last byte of its hash. Empty if there are few names.
	 */
	private final long[] index;

	private final int groups;

	/** For each name a row: its length, or 0 if it is not kept, and its characters. */
	private final byte[] texts;

	private final int width;

	private final StoredObject<T>[] entries;

	private final Object[] objects;

	private NamePage(int[] hashes, long[] index, int groups, byte[] texts, int width, StoredObject<T>[] entries,
			Object[] objects) {
		this.hashes = hashes;
		this.index = index;
		this.groups = groups;
		this.texts = texts;
		this.width = width;
		this.entries = entries;
		this.objects = objects;
	}

	static <T> NamePage<T> empty() {
		return new Writer<T>(0, 1, 0).page();
	}

	int size() {
		return this.hashes.length;
	}

	int hash(int at) {
		return this.hashes[at];
	}

	StoredObject<T> entry(int at) {
		return this.entries[at];
	}

	@SuppressWarnings("unchecked")
	T object(int at) {
		return (T) this.objects[at];
	}

	/**
	 * Copies the objects.
	 * @param target where to
	 * @param from the place of the first one
	 */
	void copyObjects(@Nullable Object[] target, int from) {
		System.arraycopy(this.objects, 0, target, from, this.objects.length);
	}

	void forEach(Consumer<? super StoredObject<T>> action) {
		for (StoredObject<T> entry : this.entries) {
			action.accept(entry);
		}
	}

	/**
	 * Finds a name.
	 * @param hash its hash
	 * @param shift the bits of the hash that all names of this page have in common
	 * @param name the name
	 * @return its place, negative if it is not here
	 */
	int find(int hash, int shift, String name) {
		if (this.groups == 0) {
			return findByHash(hash, name);
		}
		int group = group(hash, shift, this.groups);
		int first = firstOf(group);
		int count = firstOf(group + 1) - first;
		if (count > AT_ONCE) {
			return findByHash(hash, name);
		}
		long alike = alike(tags(first), hash, count);
		while (alike != 0) {
			int at = first + (Long.numberOfTrailingZeros(alike) >>> 3);
			if (isNamed(at, name)) {
				return at;
			}
			alike &= alike - 1;
		}
		return -1;
	}

	private static int group(int hash, int shift, int groups) {
		return (int) (Integer.toUnsignedLong(hash << shift) * groups >>> Integer.SIZE);
	}

	private int firstOf(int group) {
		return (int) (this.index[group / PLACES] >>> group % PLACES * Short.SIZE) & HIGHEST_PLACE;
	}

	// How many words of the index are for places.
	private static int places(int groups) {
		return groups / PLACES + 1;
	}

	// Of eight names, from one place on.
	private long tags(int first) {
		int word = places(this.groups) + first / AT_ONCE;
		int shift = first % AT_ONCE * Byte.SIZE;
		return this.index[word] >>> shift | this.index[word + 1] << 1 << (Long.SIZE - 1 - shift);
	}

	/**
	 * Compares the last byte of a hash with that of others.
	 * @param tags those of the others
	 * @param hash the hash
	 * @param count how many of the others count
	 * @return the highest bit of each byte that is the same
	 */
	private static long alike(long tags, int hash, int count) {
		long different = tags ^ ((hash & 0xFF) * EACH_BYTE);
		long lower = EACH_BYTE * 0x7F;
		long same = ~(((different & lower) + lower) | different | lower);
		// in two steps, because all of a long cannot be shifted at once
		int half = count * Byte.SIZE / 2;
		return same & ~(-1L << half << half);
	}

	// Few names; or many of one hash, or in one page: somebody has chosen them.
	private int findByHash(int hash, String name) {
		int at = place(hash, name);
		return (at < this.hashes.length && this.hashes[at] == hash && isNamed(at, name)) ? at : -1;
	}

	/**
	 * Finds where a name that is not here would be.
	 * @param hash its hash
	 * @param name the name
	 * @return the place of the first name behind it
	 */
	int place(int hash, String name) {
		int low = 0;
		int high = this.hashes.length;
		while (low < high) {
			int middle = (low + high) >>> 1;
			int byHash = Integer.compareUnsigned(this.hashes[middle], hash);
			if (byHash < 0 || (byHash == 0 && compare(middle, name) < 0)) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		return low;
	}

	// As String.compareTo does.
	private int compare(int at, String name) {
		int row = at * this.width;
		int length = this.texts[row];
		if (length == 0) {
			return this.entries[at].name().compareTo(name);
		}
		for (int i = 0; i < length && i < name.length(); i++) {
			int difference = (this.texts[row + 1 + i] & 0xFF) - name.charAt(i);
			if (difference != 0) {
				return difference;
			}
		}
		return length - name.length();
	}

	private boolean isNamed(int at, String name) {
		int row = at * this.width;
		int length = this.texts[row];
		if (length == 0) {
			return this.entries[at].name().equals(name);
		}
		if (name.length() != length) {
			return false;
		}
		for (int i = 0; i < length; i++) {
			if ((this.texts[row + 1 + i] & 0xFF) != name.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns a page of the same names with other objects.
	 * @param exchanges the entries that change
	 * @return the page
	 */
	NamePage<T> with(List<PageEdits.Exchange<T>> exchanges) {
		StoredObject<T>[] nextEntries = this.entries.clone();
		Object[] nextObjects = this.objects.clone();
		for (PageEdits.Exchange<T> exchange : exchanges) {
			nextEntries[exchange.at()] = exchange.entry();
			nextObjects[exchange.at()] = exchange.entry().object();
		}
		return new NamePage<>(this.hashes, this.index, this.groups, this.texts, this.width, nextEntries, nextObjects);
	}

	/**
	 * Returns how much room the texts of some names take.
	 * @param from the first
	 * @param to behind the last
	 * @return the width of a row
	 */
	int width(int from, int to) {
		int longest = 0;
		for (int at = from; at < to; at++) {
			longest = Math.max(longest, this.texts[at * this.width]);
		}
		return longest + 1;
	}

	/**
	 * Returns how much room the text of a name takes.
	 * @param name the name
	 * @return the width of its row
	 */
	static int width(String name) {
		int length = name.length();
		if (length > LONGEST_TEXT) {
			return 1;
		}
		for (int i = 0; i < length; i++) {
			if (name.charAt(i) > 0xFF) {
				return 1;
			}
		}
		return length + 1;
	}

	/**
	 * Writer of a page from its first entry to its last.
	 *
	 * @param <T> the model class
	 */
	static final class Writer<T> {

		private final int shift;

		private final NamePage<T> page;

		private int size;

		/**
		 * Creates a writer.
		 * @param size the number of entries
		 * @param width the room of the text of each name
		 * @param shift the bits of the hash that all names will have in common
		 */
		@SuppressWarnings({ "unchecked", "rawtypes" })
		Writer(int size, int width, int shift) {
			this.shift = shift;
			int groups = (size > AT_ONCE && size <= HIGHEST_PLACE) ? size / NAMES_OF_A_GROUP : 0;
			// behind the tags another word, so that eight can be read from any place
			long[] index = (groups > 0) ? new long[places(groups) + size / AT_ONCE + 2] : NO_INDEX;
			this.page = new NamePage<>(new int[size], index, groups, new byte[size * width], width,
					new StoredObject[size], new Object[size]);
		}

		void add(StoredObject<T> entry, int hash) {
			String name = entry.name();
			int text = width(name) - 1;
			int row = this.size * this.page.width;
			this.page.texts[row] = (byte) text;
			for (int i = 0; i < text; i++) {
				this.page.texts[row + 1 + i] = (byte) name.charAt(i);
			}
			this.page.hashes[this.size] = hash;
			this.page.entries[this.size] = entry;
			this.page.objects[this.size] = entry.object();
			this.size++;
		}

		void addAll(NamePage<T> from, int first, int end) {
			int count = end - first;
			NamePage<T> to = this.page;
			System.arraycopy(from.hashes, first, to.hashes, this.size, count);
			System.arraycopy(from.entries, first, to.entries, this.size, count);
			System.arraycopy(from.objects, first, to.objects, this.size, count);
			if (from.width == to.width) {
				System.arraycopy(from.texts, first * to.width, to.texts, this.size * to.width, count * to.width);
			}
			else {
				int most = Math.min(from.width, to.width);
				for (int i = 0; i < count; i++) {
					System.arraycopy(from.texts, (first + i) * from.width, to.texts, (this.size + i) * to.width, most);
				}
			}
			this.size += count;
		}

		NamePage<T> page() {
			if (this.page.groups > 0) {
				index();
			}
			return this.page;
		}

		private void index() {
			long[] index = this.page.index;
			int groups = this.page.groups;
			int tags = places(groups);
			int group = 0;
			for (int at = 0; at < this.size; at++) {
				int hash = this.page.hashes[at];
				index[tags + at / AT_ONCE] |= (hash & 0xFFL) << at % AT_ONCE * Byte.SIZE;
				int present = group(hash, this.shift, groups);
				while (group < present) {
					begin(++group, at);
				}
			}
			while (group < groups) {
				begin(++group, this.size);
			}
		}

		private void begin(int group, int at) {
			this.page.index[group / PLACES] |= (long) at << group % PLACES * Short.SIZE;
		}

	}

}
