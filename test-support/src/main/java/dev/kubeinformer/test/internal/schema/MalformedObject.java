package dev.kubeinformer.test.internal.schema;

/**
 * Object whose metadata cannot be decoded.
 */
public final class MalformedObject extends RuntimeException {

	private static final long serialVersionUID = 1L;

	MalformedObject(String message) {
		super(message);
	}

	// The words of kube-apiserver.
	public String words() {
		return String.valueOf(getMessage());
	}

}
