package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.NameHash;
import dev.kubeinformer.internal.text.TextBytes;

/**
 * Objects of one namespace by name. Immutable: a change creates another table that shares
 * all pages except the changed ones.
 * <p>
 * The table is a list of pages in the order of the hashes of the names. The first bits of
 * a hash are the number of its page. General persistent maps are deeper, and each of
 * their nodes costs a read a CPU cache miss.
 * <p>
 * At first, the table uses the hash of the strings, which is already computed. If a page
 * becomes far too long, somebody has chosen the names so that this hash does not spread
 * them evenly. Then an unpredictable hash replaces it.
 *
 * @param <T> the model class
 */
final class ObjectTable<T> implements Iterable<StoredObject<T>> {

	/**
	 * Binary logarithm of the number of objects above which dividing a page pays off.
	 */
	private static final int BITS_OF_A_PAGE = 6;

	/**
	 * Factor by which a page may be longer than expected by accident. The names of an
	 * even longer page were chosen to collide.
	 */
	private static final int MUCH_LONGER = 4;

	private final @Nullable NamePage<T>[] pages;

	private final int pageBits;

	private final int size;

	/** Hash function of the names; {@code null} for {@link String#hashCode()}. */
	private final @Nullable NameHash names;

	private ObjectTable(@Nullable NamePage<T>[] pages, int pageBits, int size, @Nullable NameHash names) {
		this.pages = pages;
		this.pageBits = pageBits;
		this.size = size;
		this.names = names;
	}

	static <T> ObjectTable<T> empty() {
		return new ObjectTable<>(pages(0), 0, 0, null);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static <T> @Nullable NamePage<T>[] pages(int pageBits) {
		return new NamePage[1 << pageBits];
	}

	static int hash(String name) {
		return hash(name.hashCode());
	}

	private static int hash(int hashCode) {
		int hash = hashCode * 0x9E3779B9;
		return hash ^ (hash >>> 16);
	}

	private static int pageOf(int hash, int pageBits) {
		return (hash >>> 1) >>> (Integer.SIZE - 1 - pageBits);
	}

	/**
	 * Returns the number of bits of a table's page numbers. A change copies one page and
	 * the list of pages, so large tables keep both equally short.
	 * @param size the number of objects
	 * @return the number of bits of a page number
	 */
	private static int pageBits(long size) {
		int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(size - 1, 0));
		return Math.max(0, Math.min(bits / 2, bits - BITS_OF_A_PAGE));
	}

	int size() {
		return this.size;
	}

	@Nullable StoredObject<T> get(String name) {
		int hash = hashOf(name);
		NamePage<T> page = this.pages[pageOf(hash, this.pageBits)];
		int at = (page != null) ? page.find(hash, this.pageBits, name) : -1;
		return (at >= 0) ? page.entry(at) : null;
	}

	/**
	 * Returns the model object with a name, without reading its {@link StoredObject}.
	 * @param name the name
	 * @return the object, or {@code null} if there is none
	 */
	@Nullable T object(String name) {
		int hash = hashOf(name);
		NamePage<T> page = this.pages[pageOf(hash, this.pageBits)];
		int at = (page != null) ? page.find(hash, this.pageBits, name) : -1;
		return (at >= 0) ? page.object(at) : null;
	}

	/**
	 * Returns the number of pages, including empty ones that are not allocated.
	 * @return the number
	 */
	int pageCount() {
		return this.pages.length;
	}

	/**
	 * Returns a page.
	 * @param number the page number, from 0 on
	 * @return the page; {@code null} if it is empty
	 */
	@Nullable NamePage<T> page(int number) {
		return this.pages[number];
	}

	/**
	 * Returns the page number of a hash.
	 * @param hash the hash of a name
	 * @return the number
	 */
	int pageOf(int hash) {
		return pageOf(hash, this.pageBits);
	}

	/**
	 * Returns the hash of a name that is given as bytes.
	 * @param name the name
	 * @return the hash, if all characters are ASCII
	 */
	int hashOf(TextBytes name) {
		return (this.names == null) ? hash(name.asciiHashCode()) : this.names.of(name);
	}

	int hashOf(String name) {
		return (this.names == null) ? hash(name) : this.names.of(name);
	}

	int pageBits() {
		return this.pageBits;
	}

	@Nullable NameHash names() {
		return this.names;
	}

	@Override
	public void forEach(Consumer<? super StoredObject<T>> action) {
		forEachPage((page) -> page.forEach(action));
	}

	void forEachPage(Consumer<? super NamePage<T>> action) {
		for (NamePage<T> page : this.pages) {
			if (page != null) {
				action.accept(page);
			}
		}
	}

	@Override
	public Iterator<StoredObject<T>> iterator() {
		return new ObjectIterator();
	}

	Builder<T> builder() {
		return new Builder<>(this);
	}

	private ObjectTable<T> with(List<Change<T>> changes, int nextSize) {
		changes.sort(Change::compareTo);
		@Nullable NamePage<T>[] next = this.pages.clone();
		int longest = 0;
		int from = 0;
		while (from < changes.size()) {
			int number = pageOf(changes.get(from).hash(), this.pageBits);
			int to = from + 1;
			while (to < changes.size() && pageOf(changes.get(to).hash(), this.pageBits) == number) {
				to++;
			}
			NamePage<T> page = changed(next[number], changes.subList(from, to));
			longest = Math.max(longest, size(page));
			next[number] = page;
			from = to;
		}
		ObjectTable<T> changed = new ObjectTable<>(next, this.pageBits, nextSize, this.names);
		ObjectTable<T> resized = changed.resized();
		return resized.spread((resized != changed) ? resized.longest() : longest);
	}

	private static int size(@Nullable NamePage<?> page) {
		return (page != null) ? page.size() : 0;
	}

	/**
	 * Returns the length of the longest page.
	 * @return the number of its objects
	 */
	int longest() {
		return Arrays.stream(this.pages).mapToInt(ObjectTable::size).max().getAsInt();
	}

	private ObjectTable<T> spread(int longest) {
		int usual = (this.size >> this.pageBits) + (1 << BITS_OF_A_PAGE);
		if (this.names != null || longest <= MUCH_LONGER * usual) {
			return this;
		}
		NameHash spreading = NameHash.random();
		List<Change<T>> all = new ArrayList<>(this.size);
		forEach((object) -> all.add(new Change<>(object.name(), spreading.of(object.name()), object)));
		return new ObjectTable<T>(pages(this.pageBits), this.pageBits, 0, spreading).with(all, this.size);
	}

	private @Nullable NamePage<T> changed(@Nullable NamePage<T> page, List<Change<T>> changes) {
		NamePage<T> present = (page != null) ? page : NamePage.empty();
		PageEdits<T> edits = new PageEdits<>(present);
		for (Change<T> change : changes) {
			int at = present.find(change.hash(), this.pageBits, change.name());
			if (at >= 0) {
				edits.set(at, change.object());
			}
			else if (change.object() != null) {
				edits.add(present.place(change.hash(), this.pageBits, change.name()), change.object(), change.hash());
			}
		}
		NamePage<T> next = edits.apply();
		return (next.size() > 0) ? next : null;
	}

	// A table shrinks only when it has become much smaller, so that it does not
	// oscillate.
	private ObjectTable<T> resized() {
		int wanted = pageBits(this.size);
		if (wanted > this.pageBits) {
			return split(wanted);
		}
		return (pageBits(4L * this.size) < this.pageBits) ? joined(wanted) : this;
	}

	private ObjectTable<T> split(int nextBits) {
		@Nullable NamePage<T>[] next = pages(nextBits);
		for (NamePage<T> page : this.pages) {
			int from = 0;
			while (page != null && from < page.size()) {
				int number = pageOf(page.hash(from), nextBits);
				int to = from + 1;
				while (to < page.size() && pageOf(page.hash(to), nextBits) == number) {
					to++;
				}
				NamePage.Writer<T> writer = new NamePage.Writer<>(to - from, page.width(from, to));
				writer.addAll(page, from, to);
				next[number] = writer.page();
				from = to;
			}
		}
		return new ObjectTable<>(next, nextBits, this.size, this.names);
	}

	private ObjectTable<T> joined(int nextBits) {
		@Nullable NamePage<T>[] next = pages(nextBits);
		int together = 1 << (this.pageBits - nextBits);
		for (int number = 0; number < next.length; number++) {
			List<NamePage<T>> parts = Arrays.stream(this.pages, number * together, (number + 1) * together)
				.filter(Objects::nonNull)
				.toList();
			if (!parts.isEmpty()) {
				NamePage.Writer<T> writer = new NamePage.Writer<>(parts.stream().mapToInt(NamePage::size).sum(),
						parts.stream().mapToInt((part) -> part.width(0, part.size())).max().getAsInt());
				parts.forEach((part) -> writer.addAll(part, 0, part.size()));
				next[number] = writer.page();
			}
		}
		return new ObjectTable<>(next, nextBits, this.size, this.names);
	}

	/**
	 * Change of the object under one name.
	 *
	 * @param <T> the model class
	 * @param name the name
	 * @param hash the hash of the name
	 * @param object the new object; {@code null} if it was removed
	 */
	private record Change<T>(String name, int hash, @Nullable StoredObject<T> object) implements Comparable<Change<T>> {

		@Override
		public int compareTo(Change<T> other) {
			int byHash = Integer.compareUnsigned(this.hash, other.hash);
			return (byHash != 0) ? byHash : this.name.compareTo(other.name);
		}

	}

	/**
	 * Collects the changes of a table.
	 *
	 * @param <T> the model class
	 */
	static final class Builder<T> {

		private ObjectTable<T> base;

		private Map<String, Change<T>> changes = new HashMap<>();

		private int size;

		private Builder(ObjectTable<T> base) {
			this.base = base;
			this.size = base.size;
		}

		boolean isEmpty() {
			return this.size == 0;
		}

		@Nullable StoredObject<T> get(String name) {
			Change<T> change = this.changes.get(name);
			return (change != null) ? change.object() : this.base.get(name);
		}

		@Nullable StoredObject<T> put(StoredObject<T> object) {
			StoredObject<T> before = get(object.name());
			set(object.name(), object);
			if (before == null) {
				this.size++;
			}
			return before;
		}

		@Nullable StoredObject<T> remove(String name) {
			StoredObject<T> before = get(name);
			if (before != null) {
				set(name, null);
				this.size--;
			}
			return before;
		}

		private void set(String name, @Nullable StoredObject<T> object) {
			this.changes.put(name, new Change<>(name, this.base.hashOf(name), object));
		}

		ObjectTable<T> build() {
			if (!this.changes.isEmpty()) {
				this.base = this.base.with(new ArrayList<>(this.changes.values()), this.size);
				this.changes = new HashMap<>();
			}
			return this.base;
		}

	}

	/**
	 * Iteration over the pages.
	 */
	private final class ObjectIterator implements Iterator<StoredObject<T>> {

		private int number;

		private int at;

		@Override
		public boolean hasNext() {
			return page() != null;
		}

		@Override
		public StoredObject<T> next() {
			NamePage<T> page = page();
			if (page == null) {
				throw new NoSuchElementException();
			}
			return page.entry(this.at++);
		}

		// Returns the page of the next object.
		private @Nullable NamePage<T> page() {
			while (this.number < ObjectTable.this.pages.length) {
				NamePage<T> page = ObjectTable.this.pages[this.number];
				if (page != null && this.at < page.size()) {
					return page;
				}
				this.number++;
				this.at = 0;
			}
			return null;
		}

	}

}
