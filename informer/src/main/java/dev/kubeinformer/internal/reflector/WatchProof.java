package dev.kubeinformer.internal.reflector;

/** Proof that a watch must give before the cache counts as live. */
enum WatchProof {

	/**
	 * An opened watch is proof enough, because nothing has failed since the previous list
	 * or watch.
	 */
	OPEN,

	/**
	 * Something must arrive on the watch, or it must last for a while without an error.
	 */
	TIME,

	/**
	 * Something must arrive on the watch, because the previous watch was silent for too
	 * long.
	 */
	EVENT

}
