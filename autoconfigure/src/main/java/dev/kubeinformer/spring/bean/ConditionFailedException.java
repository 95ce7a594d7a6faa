package dev.kubeinformer.spring.bean;

import org.springframework.expression.spel.SpelEvaluationException;

/**
 * Thrown when the condition of a method cannot be evaluated. The exception names the
 * class of the failure, but does not have the failure as its cause: the message of the
 * failure may quote the object and would be logged.
 */
public abstract class ConditionFailedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Exception failure;

	protected ConditionFailedException(String condition, Exception failure) {
		super("Condition '%s' failed: %s".formatted(condition, describe(failure)));
		this.failure = failure;
	}

	private static String describe(Exception failure) {
		String kind = failure.getClass().getName();
		if (failure instanceof SpelEvaluationException spel) {
			kind = "%s %s at position %d".formatted(kind, spel.getMessageCode(), spel.getPosition());
		}
		Throwable cause = failure.getCause();
		StackTraceElement[] trace = (cause != null) ? cause.getStackTrace() : new StackTraceElement[0];
		if (cause == null) {
			return kind;
		}
		return "%s, caused by %s%s".formatted(kind, cause.getClass().getName(),
				(trace.length > 0) ? " at " + trace[0] : "");
	}

	/**
	 * Returns the exception of the expression. Its message may contain contents of the
	 * object.
	 * @return the exception
	 */
	public Exception getFailure() {
		return this.failure;
	}

}
