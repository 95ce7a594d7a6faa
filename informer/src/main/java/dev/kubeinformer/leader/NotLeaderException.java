package dev.kubeinformer.leader;

/**
 * Thrown where something is asked of a replica that only the leader does.
 */
public class NotLeaderException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what was asked for
	 */
	public NotLeaderException(String message) {
		super(message);
	}

}
