package dev.kubeinformer.internal.codec;

/**
 * Metadata of a list, or of one page of it.
 *
 * @param resourceVersion the version of the list; empty if the list has none
 * @param continueToken the token of the next page; empty on the last page
 * @param shardSelector the shard to which the API server has limited the list, as it
 * reports (KEP-5866); empty if it reports none
 */
public record ListHeader(String resourceVersion, String continueToken, String shardSelector) {

	/**
	 * Creates the header of a list without a shard.
	 * @param resourceVersion the version of the list; empty if the list has none
	 * @param continueToken the token of the next page; empty on the last one
	 */
	public ListHeader(String resourceVersion, String continueToken) {
		this(resourceVersion, continueToken, "");
	}

}
