package dev.kubeinformer.spring.bean;

/**
 * Thrown when the application is stopped while its start waits. Internal to the starter.
 */
public final class StartInterruptedException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception for a wait that ended because the application was stopped.
	 * @param message the message
	 */
	public StartInterruptedException(String message) {
		super(message);
	}

	StartInterruptedException(String awaited, InterruptedException cause) {
		super("The wait for %s ends early, because the application is stopped".formatted(awaited), cause);
	}

}
