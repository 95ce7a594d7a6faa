package dev.kubeinformer.internal.reflector;

/** Proof by a watch that the cache is live. */
enum WatchProof {

	/** The watch was opened: nothing failed since the list or the watch before. */
	OPEN,

	/** The watch brings something, or lasts for a while without an error. */
	TIME,

	/** The watch brings something: the one before was silent for too long. */
	EVENT

}
