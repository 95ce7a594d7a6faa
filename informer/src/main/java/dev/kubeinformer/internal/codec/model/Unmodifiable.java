package dev.kubeinformer.internal.codec.model;

/** Creates the exception for an attempt to modify a collection of a cached object. */
final class Unmodifiable {

	private Unmodifiable() {
	}

	static UnsupportedOperationException refused() {
		return new UnsupportedOperationException("Cached objects are shared and cannot be modified;"
				+ " Informers.copyOf(object) returns a copy that can be");
	}

}
