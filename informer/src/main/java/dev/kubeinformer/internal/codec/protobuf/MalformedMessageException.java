package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Thrown when bytes are not the expected message. The exception names the field but does
 * not quote its value.
 */
public final class MalformedMessageException extends MalformedResponseException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final StringBuilder path = new StringBuilder();

	MalformedMessageException(String problem) {
		this(problem, null);
	}

	MalformedMessageException(String problem, @Nullable Throwable cause) {
		super(problem, cause);
		this.problem = problem;
	}

	/**
	 * Adds the value that encloses the unreadable field to its path.
	 * @param part the name or, in brackets, the index of the value; empty to add nothing
	 * @return this exception
	 */
	MalformedMessageException within(String part) {
		boolean dot = !part.isEmpty() && !this.path.isEmpty() && this.path.charAt(0) != '[';
		this.path.insert(0, dot ? part + "." : part);
		return this;
	}

	/**
	 * Returns the path of the unreadable field.
	 * @return the path as in JSON, such as {@code spec.containers[0].name}; empty for the
	 * message itself
	 */
	public String path() {
		return this.path.toString();
	}

	@Override
	public String getMessage() {
		return this.path.isEmpty() ? this.problem
				: "the field '%s' cannot be read: %s".formatted(this.path, this.problem);
	}

}
