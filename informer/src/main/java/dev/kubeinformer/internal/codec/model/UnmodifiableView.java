package dev.kubeinformer.internal.codec.model;

import java.io.Serial;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable view of a collection.
 *
 * @param <E> the element type
 */
class UnmodifiableView<E extends @Nullable Object> extends UnmodifiableCollection<E> {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Collection<E> elements;

	/**
	 * Creates a view.
	 * @param elements the elements, which must no longer be changed
	 */
	UnmodifiableView(Collection<E> elements) {
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

	/**
	 * Serialises a collection of the JDK instead, which can be read without this class.
	 * @return an unmodifiable collection of the same elements
	 */
	@Serial
	Object writeReplace() {
		return Collections.unmodifiableCollection(new ArrayList<>(this.elements));
	}

	private static final class Unremoving<E extends @Nullable Object> implements Iterator<E> {

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
