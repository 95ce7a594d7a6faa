package dev.kubeinformer.internal.store;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.TextBytes;

/**
 * Objects whose names have neighbouring hashes, ordered by hash and then by name.
 * Immutable.
 * <p>
 * A read scans contiguous memory: the hashes, the texts of the names, and the objects.
 * The entries and the strings of their names are spread over the heap, so reading each
 * would cost a CPU cache miss.
 *
 * @param <T> the model class
 */
final class NamePage<T> {

	/**
	 * Longest name that is kept as text, with one byte a character. DNS labels are not
	 * longer, and most names are DNS labels.
	 */
	static final int LONGEST_TEXT = 63;

	/**
	 * Largest distance between the expected and the actual position of a hash if hashes
	 * are spread evenly.
	 */
	private static final int FAR = 64;

	private final int[] hashes;

	/**
	 * Row for each name: its length, or 0 if the text is not kept, and its characters.
	 */
	private final byte[] texts;

	private final int width;

	private final StoredObject<T>[] entries;

	private final Object[] objects;

	private NamePage(int[] hashes, byte[] texts, int width, StoredObject<T>[] entries, Object[] objects) {
		this.hashes = hashes;
		this.texts = texts;
		this.width = width;
		this.entries = entries;
		this.objects = objects;
	}

	static <T> NamePage<T> empty() {
		return new Writer<T>(0, 1).page();
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
	 * @param target the array to copy to
	 * @param from the position of the first object in the array
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
	 * @param hash the hash of the name
	 * @param shift the number of leading hash bits that all names of this page share
	 * @param name the name
	 * @return the position, negative if the page does not contain the name
	 */
	int find(int hash, int shift, String name) {
		int at = first(hash, shift);
		if (isHash(at, hash) && !isNamed(at, name)) {
			at = isHash(at + 1, hash) ? firstOfEqual(at + 1, hash, name) : at + 1;
			return (isHash(at, hash) && isNamed(at, name)) ? at : -1;
		}
		return isHash(at, hash) ? at : -1;
	}

	/**
	 * Finds a name that is given as bytes.
	 * @param hash the hash of the name
	 * @param shift the number of leading hash bits that all names of this page share
	 * @param name the name
	 * @return the position, negative if the page does not contain the name or if it is
	 * not ASCII
	 */
	int find(int hash, int shift, TextBytes name) {
		int at = first(hash, shift);
		if (isHash(at, hash) && !name.isAscii(this.entries[at].name())) {
			// Two names seldom have the same hash, so a string is seldom created here.
			at = isHash(at + 1, hash) ? find(hash, shift, name.toString()) : -1;
			return (at >= 0 && name.isAscii(this.entries[at].name())) ? at : -1;
		}
		return isHash(at, hash) ? at : -1;
	}

	/**
	 * Finds the position at which a missing name would be inserted.
	 * @param hash the hash of the name
	 * @param shift the number of leading hash bits that all names of this page share
	 * @param name the name
	 * @return the position of the first greater name
	 */
	int place(int hash, int shift, String name) {
		int at = first(hash, shift);
		return isHash(at, hash) ? firstOfEqual(at, hash, name) : at;
	}

	/**
	 * Finds the position after a name, which need not exist.
	 * @param hash the hash of the name
	 * @param shift the number of leading hash bits that all names of this page share
	 * @param name the name
	 * @return the position of the first greater name
	 */
	int behind(int hash, int shift, String name) {
		int at = find(hash, shift, name);
		return (at >= 0) ? at + 1 : place(hash, shift, name);
	}

	private boolean isHash(int at, int hash) {
		return at < this.hashes.length && this.hashes[at] == hash;
	}

	// Hashes are spread evenly, so the hash is close to its expected position. Only names
	// that were chosen to collide need the binary search.
	private int first(int hash, int shift) {
		int[] all = this.hashes;
		int at = (int) (Integer.toUnsignedLong(hash << shift) * all.length >>> Integer.SIZE);
		int lowest = Math.max(at - FAR, 0);
		int highest = Math.min(at + FAR, all.length);
		while (at > lowest && Integer.compareUnsigned(all[at - 1], hash) >= 0) {
			at--;
		}
		while (at < highest && Integer.compareUnsigned(all[at], hash) < 0) {
			at++;
		}
		if (at == lowest && at > 0) {
			return firstBetween(0, at, hash);
		}
		return (at == highest && at < all.length) ? firstBetween(at, all.length, hash) : at;
	}

	private int firstBetween(int from, int to, int hash) {
		int low = from;
		int high = to;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (Integer.compareUnsigned(this.hashes[middle], hash) < 0) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		return low;
	}

	// Finds the first name from this hash on that is not less than the given one.
	private int firstOfEqual(int from, int hash, String name) {
		int low = from;
		int high = this.hashes.length;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (this.hashes[middle] == hash && compare(middle, name) < 0) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		return low;
	}

	// Same order as String.compareTo.
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
		return new NamePage<>(this.hashes, this.texts, this.width, nextEntries, nextObjects);
	}

	/**
	 * Returns the row width that a range of names needs.
	 * @param from the position of the first name
	 * @param to the position after the last name
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
	 * Returns the row width that a name needs.
	 * @param name the name
	 * @return the width of a row
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
	 * Writes a page from its first entry to its last.
	 *
	 * @param <T> the model class
	 */
	static final class Writer<T> {

		private final int[] hashes;

		private final byte[] texts;

		private final int width;

		private final StoredObject<T>[] entries;

		private final Object[] objects;

		private int size;

		@SuppressWarnings({ "unchecked", "rawtypes" })
		Writer(int size, int width) {
			this.hashes = new int[size];
			this.texts = new byte[size * width];
			this.width = width;
			this.entries = new StoredObject[size];
			this.objects = new Object[size];
		}

		void add(StoredObject<T> entry, int hash) {
			String name = entry.name();
			int text = width(name) - 1;
			int row = this.size * this.width;
			this.texts[row] = (byte) text;
			for (int i = 0; i < text; i++) {
				this.texts[row + 1 + i] = (byte) name.charAt(i);
			}
			this.hashes[this.size] = hash;
			this.entries[this.size] = entry;
			this.objects[this.size] = entry.object();
			this.size++;
		}

		void addAll(NamePage<T> page, int from, int to) {
			int count = to - from;
			System.arraycopy(page.hashes, from, this.hashes, this.size, count);
			System.arraycopy(page.entries, from, this.entries, this.size, count);
			System.arraycopy(page.objects, from, this.objects, this.size, count);
			if (page.width == this.width) {
				System.arraycopy(page.texts, from * this.width, this.texts, this.size * this.width, count * this.width);
			}
			else {
				int most = Math.min(page.width, this.width);
				for (int i = 0; i < count; i++) {
					System.arraycopy(page.texts, (from + i) * page.width, this.texts, (this.size + i) * this.width,
							most);
				}
			}
			this.size += count;
		}

		NamePage<T> page() {
			return new NamePage<>(this.hashes, this.texts, this.width, this.entries, this.objects);
		}

	}

}
