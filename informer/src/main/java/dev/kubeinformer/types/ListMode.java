package dev.kubeinformer.types;

/**
 * Ways in which an informer reads all objects of a resource.
 */
public enum ListMode {

	/**
	 * Streaming lists (KEP-3157) where the server supports them, otherwise lists in
	 * pages.
	 */
	AUTO,

	/** Streaming lists only. */
	STREAMING,

	/**
	 * Lists only; in pages if the API server guarantees that all pages show the same
	 * state.
	 */
	PAGED

}
