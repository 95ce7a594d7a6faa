package dev.kubeinformer.resource;

/**
 * Thrown when a class stands for no resource of the Kubernetes API: it is neither a model
 * of the official client that can be listed, nor annotated with
 * {@link KubernetesResource} as it should be.
 */
public class UnknownResourceTypeException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final Class<?> objectClass;

	/**
	 * Creates the exception.
	 * @param objectClass the class in question
	 */
	public UnknownResourceTypeException(Class<?> objectClass) {
		this(objectClass, "it is not a listable model of the official client, "
				+ "and not annotated with @KubernetesResource(group, version, plural)");
	}

	UnknownResourceTypeException(Class<?> objectClass, String problem) {
		super("'%s' stands for no Kubernetes resource: %s".formatted(objectClass.getName(), problem));
		this.objectClass = objectClass;
	}

	/**
	 * Returns the class that could not be resolved.
	 * @return the class
	 */
	public Class<?> getObjectClass() {
		return this.objectClass;
	}

}
