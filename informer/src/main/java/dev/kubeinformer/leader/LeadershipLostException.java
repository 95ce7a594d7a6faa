package dev.kubeinformer.leader;

/**
 * Thrown where a run of a reconciler goes on after the term in which it began. Nothing is
 * sent any more. It is no failure of the run: the next leader runs for the object.
 */
public class LeadershipLostException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what was refused
	 */
	public LeadershipLostException(String message) {
		super(message);
	}

}
