package dev.kubeinformer.leader;

/**
 * Thrown when a run of a reconciler tries to send a request after its term has ended. The
 * request is not sent. This exception does not count as a failure of the run, because the
 * next leader reconciles the object.
 */
public class LeadershipLostException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the message, which names the rejected request
	 */
	public LeadershipLostException(String message) {
		super(message);
	}

}
