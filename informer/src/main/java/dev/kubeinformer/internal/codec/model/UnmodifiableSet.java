package dev.kubeinformer.internal.codec.model;

import java.io.Serial;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable set.
 *
 * @param <E> the element type
 */
public final class UnmodifiableSet<E extends @Nullable Object> extends UnmodifiableView<E> implements Set<E> {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Set<E> elements;

	/**
	 * Creates a set.
	 * @param elements the elements, which must no longer be changed
	 */
	public UnmodifiableSet(Set<E> elements) {
		super(elements);
		this.elements = elements;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other == this || this.elements.equals(other);
	}

	@Override
	public int hashCode() {
		return this.elements.hashCode();
	}

	@Override
	@Serial
	Object writeReplace() {
		return Collections.unmodifiableSet(new LinkedHashSet<>(this.elements));
	}

}
