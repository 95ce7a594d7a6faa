package dev.kubeinformer.internal.http;

/** Receives the warnings in the API server's responses. */
@FunctionalInterface
public interface WarningSink {

	/** Sink that drops all warnings. */
	WarningSink NONE = (resource, text) -> {
	};

	/**
	 * Called by the thread that waits for a response, before it reads the body.
	 * @param resource the resource of the request, as {@code plural[.group]}
	 * @param text the warning, escaped and shortened
	 */
	void warned(String resource, String text);

}
