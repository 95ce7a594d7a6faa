package dev.kubeinformer.types;

/**
 * How full states are asked for.
 */
public enum ListMode {

	/** By streaming lists (KEP-3157) where the server has them, else in pages. */
	AUTO,

	/** By streaming lists only. */
	STREAMING,

	/** By lists only, in pages where the API server keeps them consistent. */
	PAGED

}
