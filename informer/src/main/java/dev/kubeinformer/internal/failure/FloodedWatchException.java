package dev.kubeinformer.internal.failure;

import java.io.IOException;

/**
 * Thrown when a watch sends many bytes in a short time, but no event.
 */
public final class FloodedWatchException extends IOException {

	private static final long serialVersionUID = 1L;

	public FloodedWatchException(String filler) {
		super("the watch sent nothing but %s, more than any API server sends".formatted(filler));
	}

}
