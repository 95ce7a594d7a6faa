package dev.kubeinformer.internal.failure;

import java.io.IOException;

/**
 * Thrown when a watch brings very much in a short time, and nothing of it is an event.
 */
public final class FloodedWatchException extends IOException {

	private static final long serialVersionUID = 1L;

	public FloodedWatchException(String filler) {
		super("the watch brought nothing but %s, more than any API server sends".formatted(filler));
	}

}
