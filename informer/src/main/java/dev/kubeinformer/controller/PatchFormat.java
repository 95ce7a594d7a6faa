package dev.kubeinformer.controller;

/**
 * Format of a patch.
 */
public enum PatchFormat {

	/** JSON Patch (RFC 6902). */
	JSON("application/json-patch+json"),

	/** JSON Merge Patch (RFC 7396). */
	MERGE("application/merge-patch+json"),

	/** Strategic merge patch, which only built-in resources support. */
	STRATEGIC_MERGE("application/strategic-merge-patch+json");

	private final String mediaType;

	PatchFormat(String mediaType) {
		this.mediaType = mediaType;
	}

	/**
	 * Returns the media type of requests with such a patch.
	 * @return the media type
	 */
	public String mediaType() {
		return this.mediaType;
	}

}
