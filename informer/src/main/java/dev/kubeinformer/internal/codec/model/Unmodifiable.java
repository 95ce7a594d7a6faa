package dev.kubeinformer.internal.codec.model;

/**
 * What the collections of cached objects answer to whoever modifies them.
 */
final class Unmodifiable {

	private Unmodifiable() {
	}

	static UnsupportedOperationException refused() {
		return new UnsupportedOperationException("Cached objects are shared and cannot be modified;"
				+ " Informers.copyOf(object) makes a copy that can be");
	}

}
