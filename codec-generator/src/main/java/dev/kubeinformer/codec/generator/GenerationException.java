package dev.kubeinformer.codec.generator;

/**
 * Thrown when messages and models do not match, so that a decoder would lose data.
 */
final class GenerationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	GenerationException(String message) {
		super(message);
	}

}
