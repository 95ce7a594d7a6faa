package dev.kubeinformer.resource;

/**
 * Thrown when objects of a class cannot be decoded because of the definition of the class
 * or of a field's class.
 */
public class UnreadableClassException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final Class<?> objectClass;

	private final String problem;

	private final String advice;

	/**
	 * Creates the exception.
	 * @param objectClass the class of the objects
	 * @param problem the problem: a sentence that names the class and the field
	 * @param advice the remedy: a sentence
	 */
	public UnreadableClassException(Class<?> objectClass, String problem, String advice) {
		super("Objects of '%s' cannot be read: %s %s".formatted(objectClass.getName(), problem, advice));
		this.objectClass = objectClass;
		this.problem = "Objects of '%s' cannot be read: %s".formatted(objectClass.getName(), problem);
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
	 * Returns the problem.
	 * @return one or more sentences that name the class and the field
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Returns the remedy for the developer.
	 * @return one or more sentences
	 */
	public String getAdvice() {
		return this.advice;
	}

}
