package dev.kubeinformer.internal.election;

/**
 * Thrown by the simulator when two processes lead at the same time, or what follows from
 * that.
 */
class OverlapError extends AssertionError {

	private static final long serialVersionUID = 1L;

	OverlapError(String message) {
		super(message);
	}

}
