package dev.kubeinformer.internal.codec;

/**
 * Content of a page of a list beside its items.
 *
 * @param resourceVersion the version of the list; empty if it has none
 * @param continueToken the token of the next page; empty on the last one
 * @param shardSelector the shard that the API server says the list was limited to
 * (KEP-5866); empty if it says none
 */
public record ListHeader(String resourceVersion, String continueToken, String shardSelector) {

	/**
	 * Creates the header of a list that says no shard.
	 * @param resourceVersion the version of the list; empty if it has none
	 * @param continueToken the token of the next page; empty on the last one
	 */
	public ListHeader(String resourceVersion, String continueToken) {
		this(resourceVersion, continueToken, "");
	}

}
