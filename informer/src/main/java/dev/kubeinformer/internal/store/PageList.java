package dev.kubeinformer.internal.store;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Contents of some tables as a list, with one element for each entry. The first read
 * copies the list of pages, but not the contents of the pages. Immutable.
 *
 * @param <T> the model class
 * @param <E> the type of an element
 */
abstract class PageList<T, E> extends AbstractList<E> implements RandomAccess {

	private final Collection<ObjectTable<T>> tables;

	private final int size;

	private @Nullable Pages<T> pages;

	PageList(Collection<ObjectTable<T>> tables, int size) {
		this.tables = tables;
		this.size = size;
	}

	/**
	 * Returns the element of an entry.
	 * @param page the page of the entry
	 * @param at the position in the page
	 * @return the element
	 */
	abstract E element(NamePage<T> page, int at);

	/**
	 * Copies the elements of a page.
	 * @param page the page
	 * @param target the array to copy to
	 * @param from the position of the first element in the array
	 */
	void copy(NamePage<T> page, @Nullable Object[] target, int from) {
		for (int at = 0; at < page.size(); at++) {
			target[from + at] = element(page, at);
		}
	}

	// Several threads may get here at once: each finds the same pages.
	private Pages<T> pages() {
		Pages<T> present = this.pages;
		if (present == null) {
			present = Pages.of(this.tables);
			this.pages = present;
		}
		return present;
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	public E get(int index) {
		Objects.checkIndex(index, this.size);
		Pages<T> all = pages();
		int number = all.pageOf(index);
		return element(all.page(number), index - all.begin(number));
	}

	@Override
	public Iterator<E> iterator() {
		return new Walk(0, this.size);
	}

	@Override
	public Spliterator<E> spliterator() {
		return new Walk(0, this.size);
	}

	@Override
	public void forEach(Consumer<? super E> action) {
		new Walk(0, this.size).forEachRemaining(action);
	}

	@Override
	public Object[] toArray() {
		Object[] array = new Object[this.size];
		fill(array);
		return array;
	}

	@Override
	@SuppressWarnings("unchecked")
	public <A> A[] toArray(A[] target) {
		if (target.length < this.size) {
			return (A[]) Arrays.copyOf(toArray(), this.size, target.getClass());
		}
		@Nullable Object[] array = target;
		fill(array);
		if (array.length > this.size) {
			array[this.size] = null;
		}
		return target;
	}

	private void fill(@Nullable Object[] array) {
		Pages<T> all = pages();
		for (int number = 0; number < all.count(); number++) {
			copy(all.page(number), array, all.begin(number));
		}
	}

	/**
	 * Pages in the order of the list.
	 *
	 * @param <T> the model class
	 * @param pages the pages, which are not empty
	 * @param ends the number of entries up to the end of each page
	 */
	private record Pages<T>(List<NamePage<T>> pages, int[] ends) {

		static <T> Pages<T> of(Collection<ObjectTable<T>> tables) {
			List<NamePage<T>> pages = new ArrayList<>();
			tables.forEach((table) -> table.forEachPage(pages::add));
			int[] ends = new int[pages.size()];
			int end = 0;
			for (int number = 0; number < ends.length; number++) {
				end += pages.get(number).size();
				ends[number] = end;
			}
			return new Pages<>(pages, ends);
		}

		int count() {
			return this.ends.length;
		}

		NamePage<T> page(int number) {
			return this.pages.get(number);
		}

		int begin(int number) {
			return (number > 0) ? this.ends[number - 1] : 0;
		}

		int pageOf(int index) {
			int found = Arrays.binarySearch(this.ends, index + 1);
			return (found >= 0) ? found : -found - 1;
		}

	}

	/**
	 * Iteration over a part of the list.
	 */
	private final class Walk implements Iterator<E>, Spliterator<E> {

		private final Pages<T> all = pages();

		private final int end;

		private int next;

		private int number;

		private @Nullable NamePage<T> page;

		private int at;

		private Walk(int next, int end) {
			this.next = next;
			this.end = end;
			if (next < end) {
				begin(this.all.pageOf(next));
			}
		}

		private void begin(int pageNumber) {
			this.number = pageNumber;
			this.page = this.all.page(pageNumber);
			this.at = this.next - this.all.begin(pageNumber);
		}

		// Returns the page of the next element, which must exist.
		private NamePage<T> page() {
			NamePage<T> present = Objects.requireNonNull(this.page);
			if (this.at == present.size()) {
				begin(this.number + 1);
				present = Objects.requireNonNull(this.page);
			}
			return present;
		}

		@Override
		public boolean hasNext() {
			return this.next < this.end;
		}

		@Override
		public E next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			NamePage<T> present = page();
			this.next++;
			return element(present, this.at++);
		}

		@Override
		public boolean tryAdvance(Consumer<? super E> action) {
			boolean more = hasNext();
			if (more) {
				action.accept(next());
			}
			return more;
		}

		@Override
		public void forEachRemaining(Consumer<? super E> action) {
			while (hasNext()) {
				NamePage<T> present = page();
				int from = this.at;
				int to = Math.min(present.size(), from + this.end - this.next);
				this.at = to;
				this.next += to - from;
				for (int each = from; each < to; each++) {
					action.accept(element(present, each));
				}
			}
		}

		@Override
		public @Nullable Spliterator<E> trySplit() {
			int middle = (this.next + this.end) >>> 1;
			if (middle == this.next) {
				return null;
			}
			Walk first = new Walk(this.next, middle);
			this.next = middle;
			begin(this.all.pageOf(middle));
			return first;
		}

		@Override
		public long estimateSize() {
			return this.end - this.next;
		}

		@Override
		public int characteristics() {
			return ORDERED | SIZED | SUBSIZED | IMMUTABLE | NONNULL;
		}

	}

	/**
	 * Objects of some tables.
	 *
	 * @param <T> the model class
	 */
	static final class OfObjects<T> extends PageList<T, T> {

		OfObjects(Collection<ObjectTable<T>> tables, int size) {
			super(tables, size);
		}

		@Override
		T element(NamePage<T> page, int at) {
			return page.object(at);
		}

		@Override
		void copy(NamePage<T> page, @Nullable Object[] target, int from) {
			page.copyObjects(target, from);
		}

	}

	/**
	 * Keys of the objects of some tables, as {@code namespace/name} or {@code name}. Each
	 * key is created when it is read.
	 *
	 * @param <T> the model class
	 */
	static final class OfKeys<T> extends PageList<T, String> {

		OfKeys(Collection<ObjectTable<T>> tables, int size) {
			super(tables, size);
		}

		@Override
		String element(NamePage<T> page, int at) {
			return page.entry(at).key().toString();
		}

	}

}
