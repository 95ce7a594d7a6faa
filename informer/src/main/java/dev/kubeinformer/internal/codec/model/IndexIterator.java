package dev.kubeinformer.internal.codec.model;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/**
 * Iterator over elements by their index.
 *
 * @param <E> the element type
 */
final class IndexIterator<E extends @Nullable Object> implements Iterator<E> {

	private final IntFunction<E> elements;

	private final int size;

	private int next;

	/**
	 * Creates an iterator.
	 * @param elements returns the element at an index
	 * @param size the number of elements
	 */
	IndexIterator(IntFunction<E> elements, int size) {
		this.elements = elements;
		this.size = size;
	}

	@Override
	public boolean hasNext() {
		return this.next < this.size;
	}

	@Override
	public E next() {
		if (!hasNext()) {
			throw new NoSuchElementException();
		}
		return this.elements.apply(this.next++);
	}

}
