package dev.kubeinformer.internal.informer;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * List that its receiver may sort and change, like a list of the official client. Most
 * receivers only read, so the elements are copied only at the first change.
 *
 * @param <E> the type of an element
 */
final class CopyOnFirstWriteList<E> extends AbstractList<E> implements RandomAccess {

	private List<E> elements;

	private boolean copied;

	CopyOnFirstWriteList(List<E> elements) {
		this.elements = elements;
	}

	private List<E> own() {
		if (!this.copied) {
			this.elements = new ArrayList<>(this.elements);
			this.copied = true;
		}
		return this.elements;
	}

	@Override
	public int size() {
		return this.elements.size();
	}

	@Override
	public E get(int index) {
		return this.elements.get(index);
	}

	@Override
	public boolean contains(@Nullable Object element) {
		return this.elements.contains(element);
	}

	@Override
	public Iterator<E> iterator() {
		return this.copied ? super.iterator() : new FirstIterator();
	}

	@Override
	public Spliterator<E> spliterator() {
		return this.elements.spliterator();
	}

	@Override
	public void forEach(Consumer<? super E> action) {
		this.elements.forEach(action);
	}

	@Override
	public Object[] toArray() {
		return this.elements.toArray();
	}

	@Override
	public <A> A[] toArray(A[] target) {
		return this.elements.toArray(target);
	}

	@Override
	public E set(int index, E element) {
		return own().set(index, element);
	}

	@Override
	public void add(int index, E element) {
		own().add(index, element);
		this.modCount++;
	}

	@Override
	public E remove(int index) {
		E removed = own().remove(index);
		this.modCount++;
		return removed;
	}

	@Override
	public boolean addAll(int index, Collection<? extends E> more) {
		this.modCount++;
		return own().addAll(index, more);
	}

	@Override
	public boolean addAll(Collection<? extends E> more) {
		return addAll(size(), more);
	}

	@Override
	public boolean removeIf(Predicate<? super E> filter) {
		this.modCount++;
		return own().removeIf(filter);
	}

	@Override
	public boolean removeAll(Collection<?> others) {
		return removeIf(others::contains);
	}

	@Override
	public boolean retainAll(Collection<?> others) {
		return removeIf((element) -> !others.contains(element));
	}

	@Override
	public void replaceAll(UnaryOperator<E> operator) {
		own().replaceAll(operator);
	}

	@Override
	public void sort(@Nullable Comparator<? super E> order) {
		own().sort(order);
		this.modCount++;
	}

	@Override
	public void clear() {
		this.elements = new ArrayList<>();
		this.copied = true;
		this.modCount++;
	}

	/** Iterator that was created before the list was copied. */
	private final class FirstIterator implements Iterator<E> {

		private Iterator<E> rest = CopyOnFirstWriteList.this.elements.iterator();

		private int next;

		private boolean inCopy;

		@Override
		public boolean hasNext() {
			return this.rest.hasNext();
		}

		@Override
		public E next() {
			E element = this.rest.next();
			this.next++;
			return element;
		}

		@Override
		public void remove() {
			if (!this.inCopy) {
				if (this.next == 0) {
					throw new IllegalStateException();
				}
				// The copy equals the list of this iterator, unless the list was changed
				// elsewhere.
				Iterator<E> walk = copyFrom(this.next - 1);
				walk.next();
				this.rest = walk;
				this.inCopy = true;
			}
			this.rest.remove();
		}

		private Iterator<E> copyFrom(int index) {
			if (CopyOnFirstWriteList.this.copied) {
				throw new ConcurrentModificationException();
			}
			return own().listIterator(index);
		}

	}

}
