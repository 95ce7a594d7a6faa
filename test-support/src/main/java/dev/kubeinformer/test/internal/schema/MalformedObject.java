package dev.kubeinformer.test.internal.schema;

/**
 * Thrown when the metadata of an object cannot be decoded.
 */
public final class MalformedObject extends RuntimeException {

	private static final long serialVersionUID = 1L;

	MalformedObject(String message) {
		super(message);
	}

	// Returns the message of kube-apiserver.
	public String words() {
		return String.valueOf(getMessage());
	}

}
