package dev.kubeinformer.internal.codec.model;

/**
 * Refusal of the collections of cached objects to be modified.
 */
final class Unmodifiable {

	private Unmodifiable() {
	}

	static UnsupportedOperationException refused() {
		return new UnsupportedOperationException("Cached objects are shared and cannot be modified;"
				+ " Informers.copyOf(object) makes a copy that can be");
	}

}
