package dev.kubeinformer.internal.codec.model;

import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A collection that cannot be modified. What would modify it throws an
 * {@link UnsupportedOperationException}, whether there is anything to change or not.
 *
 * @param <E> the element type
 */
class UnmodifiableCollection<E> extends AbstractCollection<E> implements Serializable {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Collection<E> elements;

	/**
	 * Creates a collection.
	 * @param elements the elements, which nobody changes any more
	 */
	UnmodifiableCollection(Collection<E> elements) {
		this.elements = elements;
	}

	@Override
	public int size() {
		return this.elements.size();
	}

	@Override
	public boolean contains(@Nullable Object element) {
		return this.elements.contains(element);
	}

	@Override
	public Iterator<E> iterator() {
		return new Unremoving<>(this.elements.iterator());
	}

	@Override
	public boolean add(E element) {
		throw Unmodifiable.refused();
	}

	@Override
	public boolean addAll(Collection<? extends E> more) {
		throw Unmodifiable.refused();
	}

	@Override
	public boolean remove(@Nullable Object element) {
		throw Unmodifiable.refused();
	}

	@Override
	public boolean removeAll(Collection<?> others) {
		throw Unmodifiable.refused();
	}

	@Override
	public boolean removeIf(Predicate<? super E> filter) {
		throw Unmodifiable.refused();
	}

	@Override
	public boolean retainAll(Collection<?> others) {
		throw Unmodifiable.refused();
	}

	@Override
	public void clear() {
		throw Unmodifiable.refused();
	}

	/**
	 * Writes a collection of the JDK instead: it can be read without this class.
	 * @return an unmodifiable collection of the same elements
	 */
	@Serial
	Object writeReplace() {
		return Collections.unmodifiableCollection(new ArrayList<>(this.elements));
	}

	private static final class Unremoving<E> implements Iterator<E> {

		private final Iterator<E> elements;

		Unremoving(Iterator<E> elements) {
			this.elements = elements;
		}

		@Override
		public boolean hasNext() {
			return this.elements.hasNext();
		}

		@Override
		public E next() {
			return this.elements.next();
		}

		@Override
		public void remove() {
			throw Unmodifiable.refused();
		}

	}

}
