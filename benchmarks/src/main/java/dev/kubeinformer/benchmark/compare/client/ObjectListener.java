package dev.kubeinformer.benchmark.compare.client;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;

/** Receives deliveries of objects, on a thread of the client. */
interface ObjectListener {

	/**
	 * Called for an added object.
	 * @param hash the {@link ObjectsState#hash hash} of the object
	 */
	void added(long hash);

	/**
	 * Called for an updated object.
	 * @param before the hash before the update
	 * @param after the hash after the update
	 * @param annotations the annotations of the object
	 */
	void updated(long before, long after, @Nullable Map<String, String> annotations);

	/**
	 * Called for a deleted object.
	 * @param hash the last hash of the object
	 */
	void deleted(long hash);

}
