package dev.kubeinformer.benchmark.compare.client;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;

/**
 * What is delivered of objects, on a thread of the client's.
 */
interface ObjectListener {

	/**
	 * An object was added.
	 * @param hash its {@link ObjectsState#hash hash}
	 */
	void added(long hash);

	/**
	 * An object was updated.
	 * @param before its hash before
	 * @param after its hash now
	 * @param annotations its annotations
	 */
	void updated(long before, long after, @Nullable Map<String, String> annotations);

	/**
	 * An object was deleted.
	 * @param hash its hash as it was last
	 */
	void deleted(long hash);

}
