package dev.kubeinformer.test;

/**
 * Deliberate differences between the embedded API and a real API server. The page has
 * each line: docs/testing.md.
 */
enum Difference {

	CONVERSIONS(
			"If a body is of another kind, the message of the rejection does not name the Go types that cannot be converted."),

	COORDINATED_LEASES(
			"`strategy` and `preferredHolder` of Leases are kept; 1.37 drops them unless its feature gate is on."),

	COMPRESSED_STREAMING_LISTS(
			"Streaming lists are not compressed; 1.37 compresses them for clients that accept gzip."),

	WATCH_PATHS("The deprecated paths of watches, `/api/v1/watch/…`, are not served; `?watch=true` is.");

	private final String text;

	Difference(String text) {
		this.text = text;
	}

	String text() {
		return this.text;
	}

}
