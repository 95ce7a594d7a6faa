package dev.kubeinformer.internal.store;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * List with one attribute of each element of an immutable collection. Nothing is copied
 * until an element is read by its position. Immutable.
 *
 * @param <S> the type of the elements of the collection
 * @param <E> the type of the attribute
 */
final class MappedList<S, E> extends AbstractList<E> {

	private final Collection<S> source;

	private final Function<? super S, ? extends E> mapping;

	private final int size;

	private volatile @Nullable List<E> copy;

	MappedList(Collection<S> source, Function<? super S, ? extends E> mapping) {
		this.source = source;
		this.mapping = mapping;
		this.size = source.size();
	}

	@Override
	public int size() {
		return this.size;
	}

	// Several threads may get here at once: each computes the same copy.
	@Override
	public E get(int index) {
		List<E> present = this.copy;
		if (present == null) {
			present = new ArrayList<>(this);
			this.copy = present;
		}
		return present.get(index);
	}

	@Override
	public void forEach(Consumer<? super E> action) {
		for (S each : this.source) {
			action.accept(this.mapping.apply(each));
		}
	}

	@Override
	public Iterator<E> iterator() {
		Iterator<S> each = this.source.iterator();
		return new Iterator<>() {

			@Override
			public boolean hasNext() {
				return each.hasNext();
			}

			@Override
			public E next() {
				return MappedList.this.mapping.apply(each.next());
			}

		};
	}

	@Override
	public Spliterator<E> spliterator() {
		return Spliterators.spliterator(iterator(), this.size,
				Spliterator.ORDERED | Spliterator.IMMUTABLE | Spliterator.NONNULL);
	}

	@Override
	public Object[] toArray() {
		Object[] array = new Object[this.size];
		int next = 0;
		for (S each : this.source) {
			array[next++] = this.mapping.apply(each);
		}
		return array;
	}

	@Override
	public <A> A[] toArray(A[] target) {
		return Arrays.asList(toArray()).toArray(target);
	}

}
