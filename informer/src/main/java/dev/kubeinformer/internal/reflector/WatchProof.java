package dev.kubeinformer.internal.reflector;

/**
 * By what a watch shows that the cache is live.
 */
enum WatchProof {

	/** That it could be opened: nothing failed since the list or the watch before. */
	OPEN,

	/** That it brings something, or lasts for a moment without an error. */
	TIME,

	/** That it brings something: the watch before was silent for too long. */
	EVENT

}
