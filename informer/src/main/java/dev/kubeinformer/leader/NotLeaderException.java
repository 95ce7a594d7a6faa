package dev.kubeinformer.leader;

/**
 * Thrown when a replica that does not lead is asked for something that only the leader
 * does.
 */
public class NotLeaderException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the message, which names the operation
	 */
	public NotLeaderException(String message) {
		super(message);
	}

}
