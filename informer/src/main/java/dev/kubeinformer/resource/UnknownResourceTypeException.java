package dev.kubeinformer.resource;

/**
 * Thrown when a class does not map to a resource of the Kubernetes API: it is not a
 * listable model of the official client and has no valid {@link KubernetesResource}.
 */
public class UnknownResourceTypeException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final Class<?> objectClass;

	/**
	 * Creates the exception.
	 * @param objectClass the class in question
	 */
	public UnknownResourceTypeException(Class<?> objectClass) {
		this(objectClass, "it is not a listable model of the official client, and does not have "
				+ "@KubernetesResource(group, version, plural)");
	}

	UnknownResourceTypeException(Class<?> objectClass, String problem) {
		super("Class '%s' does not map to a Kubernetes resource: %s".formatted(objectClass.getName(), problem));
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
