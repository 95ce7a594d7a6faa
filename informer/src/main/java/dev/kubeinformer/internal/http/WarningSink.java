package dev.kubeinformer.internal.http;

/**
 * Receiver of the warnings that answers of the API server carry.
 */
@FunctionalInterface
public interface WarningSink {

	/** Drops what it is given. */
	WarningSink NONE = (resource, text) -> {
	};

	/**
	 * Called by the thread that waits for an answer, before it reads that.
	 * @param resource the resource of the request, as {@code plural[.group]}
	 * @param text the warning, escaped and cut
	 */
	void warned(String resource, String text);

}
