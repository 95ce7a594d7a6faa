package dev.kubeinformer.internal.codec.model;

import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable collection. Methods that modify a collection throw an
 * {@link UnsupportedOperationException}, even if there is nothing to change.
 *
 * @param <E> the element type
 */
abstract class UnmodifiableCollection<E extends @Nullable Object> extends AbstractCollection<E>
		implements Serializable {

	@Serial
	private static final long serialVersionUID = 1L;

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

}
