package dev.kubeinformer.internal.shards;

/**
 * Thrown by the simulator when two members work on a slot at the same time, or what
 * follows from that.
 */
class SlotOverlapError extends AssertionError {

	private static final long serialVersionUID = 1L;

	SlotOverlapError(String message) {
		super(message);
	}

}
