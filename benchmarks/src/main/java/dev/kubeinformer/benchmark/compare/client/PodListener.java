package dev.kubeinformer.benchmark.compare.client;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What is delivered of pods, on a thread of the client's.
 */
interface PodListener {

	/**
	 * A pod was added.
	 */
	void added();

	/**
	 * A pod was updated.
	 * @param annotations its annotations
	 */
	void updated(@Nullable Map<String, String> annotations);

	/**
	 * A pod was deleted.
	 */
	default void deleted() {
	}

}
