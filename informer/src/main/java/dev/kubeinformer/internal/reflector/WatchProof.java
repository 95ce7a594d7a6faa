package dev.kubeinformer.internal.reflector;

/** Proof by a watch that the cache is live. */
enum WatchProof {

	/**
	 * An opened watch is proof enough, because nothing has failed since the list or the
	 * watch before.
	 */
	OPEN,

	/** The watch must bring something, or last for a while without an error. */
	TIME,

	/** The watch must bring something, because the one before was silent for too long. */
	EVENT

}
