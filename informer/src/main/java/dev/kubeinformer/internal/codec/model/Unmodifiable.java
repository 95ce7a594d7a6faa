package dev.kubeinformer.internal.codec.model;

/** Exception for attempts to modify the collections of cached objects. */
final class Unmodifiable {

	private Unmodifiable() {
	}

	static UnsupportedOperationException refused() {
		return new UnsupportedOperationException("Cached objects are shared and cannot be modified;"
				+ " Informers.copyOf(object) returns a copy that can be");
	}

}
