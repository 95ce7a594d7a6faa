package dev.kubeinformer.store;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The objects of one namespace by name. Immutable: a change makes another table that
 * shares all pages but those that it touches.
 * <p>
 * It is a hash table whose slots are divided into pages. A slot holds nothing, an object,
 * or an array of the few objects that share it, so that a read meets one page and mostly
 * one object on its way, and an object is recognised without a look at its name. General
 * persistent maps are deeper, and each of their nodes costs a read a miss of the
 * processor's caches.
 *
 * @param <T> the model class
 */
final class ObjectTable<T> implements Iterable<StoredObject<T>> {

	private static final int LEAST_BITS = 4;

	private static final int MOST_BITS = 30;

	private final @Nullable Object[] @Nullable [] pages;

	private final int bits;

	private final int size;

	private ObjectTable(@Nullable Object[] @Nullable [] pages, int bits, int size) {
		this.pages = pages;
		this.bits = bits;
		this.size = size;
	}

	static <T> ObjectTable<T> empty() {
		return new ObjectTable<>(pages(LEAST_BITS), LEAST_BITS, 0);
	}

	// Pages are as many as their slots, so that a change copies least.
	private static @Nullable Object[] @Nullable [] pages(int bits) {
		return new Object[1 << (bits - pageBits(bits))][];
	}

	private static int pageBits(int bits) {
		return (bits + 1) / 2;
	}

	static int hash(String name) {
		int hash = name.hashCode() * 0x9E3779B9;
		return hash ^ (hash >>> 16);
	}

	int size() {
		return this.size;
	}

	@Nullable StoredObject<T> get(String name) {
		int hash = hash(name);
		int pageBits = pageBits(this.bits);
		@Nullable Object[] page = this.pages[(hash >>> pageBits) & (this.pages.length - 1)];
		return (page != null) ? find(page[hash & (page.length - 1)], hash, name) : null;
	}

	private static <T> @Nullable StoredObject<T> find(@Nullable Object slot, int hash, String name) {
		if (slot instanceof StoredObject<?> object) {
			return is(object, hash, name) ? cast(object) : null;
		}
		if (slot != null) {
			for (StoredObject<?> each : (StoredObject<?>[]) slot) {
				if (is(each, hash, name)) {
					return cast(each);
				}
			}
		}
		return null;
	}

	private static boolean is(StoredObject<?> object, int hash, String name) {
		return object.hash() == hash && object.name().equals(name);
	}

	@SuppressWarnings("unchecked")
	private static <T> StoredObject<T> cast(Object object) {
		return (StoredObject<T>) object;
	}

	@Override
	public void forEach(Consumer<? super StoredObject<T>> action) {
		for (@Nullable
		Object @Nullable [] page : this.pages) {
			if (page != null) {
				for (Object slot : page) {
					forEach(slot, action);
				}
			}
		}
	}

	private static <T> void forEach(@Nullable Object slot, Consumer<? super StoredObject<T>> action) {
		if (slot instanceof StoredObject<?>) {
			action.accept(cast(slot));
		}
		else if (slot != null) {
			for (StoredObject<?> each : (StoredObject<?>[]) slot) {
				action.accept(cast(each));
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

	/**
	 * Collects changes of a table.
	 *
	 * @param <T> the model class
	 */
	static final class Builder<T> {

		private ObjectTable<T> base;

		private @Nullable Object[] @Nullable [] pages;

		/**
		 * The pages that are this builder's own; {@code null} if not even the list is.
		 */
		private boolean @Nullable [] owned;

		private int bits;

		private int size;

		private Builder(ObjectTable<T> base) {
			this.base = base;
			this.pages = base.pages;
			this.bits = base.bits;
			this.size = base.size;
		}

		boolean isEmpty() {
			return this.size == 0;
		}

		@Nullable StoredObject<T> get(String name) {
			int hash = hash(name);
			@Nullable Object[] page = this.pages[pageOf(hash)];
			return (page != null) ? find(page[hash & (page.length - 1)], hash, name) : null;
		}

		private int pageOf(int hash) {
			return (hash >>> pageBits(this.bits)) & (this.pages.length - 1);
		}

		@Nullable StoredObject<T> put(StoredObject<T> object) {
			StoredObject<T> before = get(object.name());
			if (before == null && this.size >= 1 << this.bits && this.bits < MOST_BITS) {
				resize(this.bits + 1);
			}
			set(object, before);
			if (before == null) {
				this.size++;
			}
			return before;
		}

		private void set(StoredObject<T> object, @Nullable StoredObject<T> before) {
			@Nullable Object[] page = own(pageOf(object.hash()));
			int slot = object.hash() & (page.length - 1);
			page[slot] = with(page[slot], object, before);
		}

		private static Object with(@Nullable Object slot, StoredObject<?> object, @Nullable StoredObject<?> before) {
			if (slot == null || slot == before) {
				return object;
			}
			StoredObject<?>[] present = (slot instanceof StoredObject<?> single) ? new StoredObject<?>[] { single }
					: (StoredObject<?>[]) slot;
			StoredObject<?>[] next = Arrays.copyOf(present, (before != null) ? present.length : present.length + 1);
			next[(before != null) ? indexOf(present, before) : present.length] = object;
			return next;
		}

		@Nullable StoredObject<T> remove(String name) {
			StoredObject<T> before = get(name);
			if (before != null) {
				@Nullable Object[] page = own(pageOf(before.hash()));
				int slot = before.hash() & (page.length - 1);
				page[slot] = without(page[slot], before);
				this.size--;
				if (this.bits > LEAST_BITS && this.size < 1 << (this.bits - 3)) {
					resize(this.bits - 2);
				}
			}
			return before;
		}

		private static @Nullable Object without(@Nullable Object slot, StoredObject<?> before) {
			if (!(slot instanceof StoredObject<?>[] present)) {
				return null;
			}
			int at = indexOf(present, before);
			if (present.length == 2) {
				return present[1 - at];
			}
			StoredObject<?>[] next = Arrays.copyOf(present, present.length - 1);
			System.arraycopy(present, at + 1, next, at, next.length - at);
			return next;
		}

		private static int indexOf(StoredObject<?>[] objects, StoredObject<?> object) {
			int at = 0;
			while (objects[at] != object) {
				at++;
			}
			return at;
		}

		private @Nullable Object[] own(int number) {
			boolean[] mine = this.owned;
			if (mine == null) {
				mine = new boolean[this.pages.length];
				this.owned = mine;
				this.pages = this.pages.clone();
			}
			@Nullable Object[] page = this.pages[number];
			if (page == null || !mine[number]) {
				page = (page != null) ? page.clone() : new Object[1 << pageBits(this.bits)];
				this.pages[number] = page;
				mine[number] = true;
			}
			return page;
		}

		private void resize(int next) {
			ObjectTable<T> present = new ObjectTable<>(this.pages, this.bits, this.size);
			this.bits = Math.max(LEAST_BITS, next);
			this.pages = pages(this.bits);
			this.owned = new boolean[this.pages.length];
			present.forEach((object) -> set(object, null));
		}

		ObjectTable<T> build() {
			if (this.owned != null) {
				this.base = new ObjectTable<>(this.pages, this.bits, this.size);
				this.owned = null;
			}
			return this.base;
		}

	}

	/**
	 * Walks through the slots.
	 */
	private final class ObjectIterator implements Iterator<StoredObject<T>> {

		private int page;

		private int slot;

		private int within;

		private @Nullable StoredObject<T> next;

		ObjectIterator() {
			this.next = find();
		}

		@Override
		public boolean hasNext() {
			return this.next != null;
		}

		@Override
		public StoredObject<T> next() {
			StoredObject<T> found = this.next;
			if (found == null) {
				throw new NoSuchElementException();
			}
			this.next = find();
			return found;
		}

		private @Nullable StoredObject<T> find() {
			@Nullable Object[] @Nullable [] all = ObjectTable.this.pages;
			while (this.page < all.length) {
				@Nullable Object @Nullable [] slots = all[this.page];
				while (slots != null && this.slot < slots.length) {
					Object present = slots[this.slot];
					if (present instanceof StoredObject<?>[] several && this.within < several.length) {
						return cast(Objects.requireNonNull(several[this.within++]));
					}
					this.slot++;
					this.within = 0;
					if (present instanceof StoredObject<?>) {
						return cast(present);
					}
				}
				this.slot = 0;
				this.page++;
			}
			return null;
		}

	}

}
