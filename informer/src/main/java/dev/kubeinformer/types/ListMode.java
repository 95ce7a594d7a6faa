package dev.kubeinformer.types;

/**
 * Ways to read a full state.
 */
public enum ListMode {

	/**
	 * Streaming lists (KEP-3157) where the server supports them, otherwise lists in
	 * pages.
	 */
	AUTO,

	/** Streaming lists only. */
	STREAMING,

	/** Lists only, in pages where the API server keeps them consistent. */
	PAGED

}
