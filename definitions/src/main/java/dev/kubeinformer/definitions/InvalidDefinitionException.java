package dev.kubeinformer.definitions;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a class does not have a definition that kube-apiserver accepts. The message
 * names the class and the field, the reason and the remedy.
 */
public class InvalidDefinitionException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final Class<?> objectClass;

	private final String field;

	private final String problem;

	private final String advice;

	/**
	 * Creates the exception.
	 * @param objectClass the class of the objects
	 * @param field the path of the field, such as {@code spec.replicas}; empty if the
	 * problem is in the class itself
	 * @param problem the problem: the end of a sentence that begins with the class or
	 * field
	 * @param advice the remedy, in the imperative
	 */
	public InvalidDefinitionException(Class<?> objectClass, String field, String problem, String advice) {
		this(objectClass, field, problem, advice, null);
	}

	/**
	 * Creates the exception.
	 * @param objectClass the class of the objects
	 * @param field the path of the field, such as {@code spec.replicas}; empty if the
	 * problem is in the class itself
	 * @param problem the problem: the end of a sentence that begins with the class or
	 * field
	 * @param advice the remedy, in the imperative
	 * @param cause the cause; {@code null} if there is none
	 */
	public InvalidDefinitionException(Class<?> objectClass, String field, String problem, String advice,
			@Nullable Throwable cause) {
		super("No definition for '%s': %s%s; %s".formatted(objectClass.getName(),
				field.isEmpty() ? "" : "field '%s' ".formatted(field), problem, advice), cause);
		this.objectClass = objectClass;
		this.field = field;
		this.problem = problem;
		this.advice = advice;
	}

	/**
	 * Returns the class of the objects.
	 * @return the class
	 */
	public Class<?> getObjectClass() {
		return this.objectClass;
	}

	/**
	 * Returns the path of the field.
	 * @return the path, such as {@code spec.replicas}; empty if the problem is in the
	 * class itself
	 */
	public String getField() {
		return this.field;
	}

	/**
	 * Returns the problem.
	 * @return the end of a sentence that begins with the class or field
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Returns the remedy for the developer.
	 * @return a sentence in the imperative
	 */
	public String getAdvice() {
		return this.advice;
	}

}
