package dev.kubeinformer.internal.codec.model;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable list that accepts null as an element, and as an argument of
 * {@code contains}. It is as small as possible: an empty list costs nothing, and a list
 * of one element has no array. Methods that modify a list throw an
 * {@link UnsupportedOperationException}, even if there is nothing to change.
 *
 * @param <E> the element type
 */
public abstract sealed class CompactList<E> extends UnmodifiableCollection<@Nullable E>
		implements List<@Nullable E>, RandomAccess {

	@Serial
	private static final long serialVersionUID = 1L;

	// AbstractList would add a modification counter to every list.

	private CompactList() {
	}

	/**
	 * Creates a list.
	 * @param <E> the element type
	 * @param elements the elements, which are copied; the array may be longer than the
	 * list
	 * @param size the number of elements
	 * @return the list
	 * @throws IndexOutOfBoundsException if there are fewer elements
	 */
	public static <E> List<@Nullable E> of(@Nullable Object[] elements, int size) {
		return of(elements, 0, size);
	}

	/**
	 * Creates a list.
	 * @param <E> the element type
	 * @param elements the array with the elements, which are copied
	 * @param from the index of the first element
	 * @param to the index after the last element
	 * @return the list
	 * @throws IndexOutOfBoundsException if there are no such elements
	 */
	@SuppressWarnings("unchecked") // The caller ensures the type of the elements.
	public static <E> List<@Nullable E> of(@Nullable Object[] elements, int from, int to) {
		Objects.checkFromToIndex(from, to, elements.length);
		return switch (to - from) {
			case 0 -> (List<@Nullable E>) Many.EMPTY;
			case 1 -> new One<>((E) elements[from]);
			default -> new Many<>(Arrays.copyOfRange(elements, from, to, Object[].class));
		};
	}

	/**
	 * Copies a collection.
	 * @param <E> the element type
	 * @param collection the collection
	 * @return a list of its elements
	 */
	public static <E> List<@Nullable E> copyOf(Collection<? extends @Nullable E> collection) {
		@Nullable Object[] elements = collection.toArray();
		return of(elements, elements.length);
	}

	@Override
	public abstract @Nullable E get(int index);

	@Override
	public boolean contains(@Nullable Object element) {
		return indexOf(element) >= 0;
	}

	@Override
	public int indexOf(@Nullable Object element) {
		for (int i = 0; i < size(); i++) {
			if (Objects.equals(element, get(i))) {
				return i;
			}
		}
		return -1;
	}

	@Override
	public int lastIndexOf(@Nullable Object element) {
		for (int i = size() - 1; i >= 0; i--) {
			if (Objects.equals(element, get(i))) {
				return i;
			}
		}
		return -1;
	}

	@Override
	public Iterator<@Nullable E> iterator() {
		return new Cursor<>(this, 0);
	}

	@Override
	public ListIterator<@Nullable E> listIterator() {
		return new Cursor<>(this, 0);
	}

	@Override
	public ListIterator<@Nullable E> listIterator(int index) {
		if (index < 0 || index > size()) {
			throw new IndexOutOfBoundsException("Index: %d, Size: %d".formatted(index, size()));
		}
		return new Cursor<>(this, index);
	}

	@Override
	public List<@Nullable E> subList(int from, int to) {
		Objects.checkFromToIndex(from, to, size());
		// Neither list can change, so a copy is as good as a view.
		return of(toArray(), from, to);
	}

	@Override
	public Spliterator<@Nullable E> spliterator() {
		return Spliterators.spliterator(toArray(), Spliterator.ORDERED | Spliterator.IMMUTABLE);
	}

	@Override
	public void forEach(Consumer<? super @Nullable E> action) {
		Objects.requireNonNull(action);
		for (int i = 0; i < size(); i++) {
			action.accept(get(i));
		}
	}

	@Override
	public boolean equals(@Nullable Object other) {
		if (other == this) {
			return true;
		}
		if (!(other instanceof List<?> list) || (list instanceof RandomAccess && list.size() != size())) {
			return false;
		}
		Iterator<?> others = list.iterator();
		for (int i = 0; i < size(); i++) {
			if (!others.hasNext() || !Objects.equals(get(i), others.next())) {
				return false;
			}
		}
		return !others.hasNext();
	}

	@Override
	public int hashCode() {
		int hash = 1;
		for (int i = 0; i < size(); i++) {
			hash = 31 * hash + Objects.hashCode(get(i));
		}
		return hash;
	}

	@Override
	public void add(int index, @Nullable E element) {
		throw Unmodifiable.refused();
	}

	@Override
	public boolean addAll(int index, Collection<? extends @Nullable E> elements) {
		throw Unmodifiable.refused();
	}

	@Override
	public @Nullable E set(int index, @Nullable E element) {
		throw Unmodifiable.refused();
	}

	@Override
	public @Nullable E remove(int index) {
		throw Unmodifiable.refused();
	}

	@Override
	public void replaceAll(UnaryOperator<@Nullable E> operator) {
		throw Unmodifiable.refused();
	}

	@Override
	public void sort(@Nullable Comparator<? super @Nullable E> comparator) {
		throw Unmodifiable.refused();
	}

	/**
	 * Serialises a list of the JDK instead, which can be read without this class.
	 * @return an unmodifiable list of the same elements
	 */
	@Serial
	Object writeReplace() {
		return Collections.unmodifiableList(new ArrayList<>(this));
	}

	@Serial
	private void readObject(ObjectInputStream stream) throws InvalidObjectException {
		throw new InvalidObjectException("Lists are written as those of the JDK");
	}

	private static final class One<E> extends CompactList<E> {

		@Serial
		private static final long serialVersionUID = 1L;

		private final transient @Nullable E element;

		One(@Nullable E element) {
			this.element = element;
		}

		@Override
		public int size() {
			return 1;
		}

		@Override
		public @Nullable E get(int index) {
			Objects.checkIndex(index, 1);
			return this.element;
		}

		@Override
		public Object[] toArray() {
			return new @Nullable Object[] { this.element };
		}

	}

	private static final class Many<E> extends CompactList<E> {

		@Serial
		private static final long serialVersionUID = 1L;

		static final List<?> EMPTY = new Many<>(new Object[0]);

		private final transient @Nullable Object[] elements;

		Many(@Nullable Object[] elements) {
			this.elements = elements;
		}

		@Override
		public int size() {
			return this.elements.length;
		}

		@Override
		@SuppressWarnings("unchecked") // The list contains only such elements.
		public @Nullable E get(int index) {
			return (E) this.elements[index];
		}

		@Override
		public Object[] toArray() {
			return this.elements.clone();
		}

	}

	private static final class Cursor<E> implements ListIterator<@Nullable E> {

		private final CompactList<E> list;

		private int next;

		Cursor(CompactList<E> list, int next) {
			this.list = list;
			this.next = next;
		}

		@Override
		public boolean hasNext() {
			return this.next < this.list.size();
		}

		@Override
		public @Nullable E next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			return this.list.get(this.next++);
		}

		@Override
		public boolean hasPrevious() {
			return this.next > 0;
		}

		@Override
		public @Nullable E previous() {
			if (!hasPrevious()) {
				throw new NoSuchElementException();
			}
			return this.list.get(--this.next);
		}

		@Override
		public int nextIndex() {
			return this.next;
		}

		@Override
		public int previousIndex() {
			return this.next - 1;
		}

		@Override
		public void remove() {
			throw Unmodifiable.refused();
		}

		@Override
		public void set(@Nullable E element) {
			throw Unmodifiable.refused();
		}

		@Override
		public void add(@Nullable E element) {
			throw Unmodifiable.refused();
		}

	}

}
