package dev.kubeinformer.internal.workqueue;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.UnreadableObjectException;
import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.WriteFailedException;

/**
 * Failure of a run, for reports: the class of the exception and, if a write was rejected,
 * the HTTP status and the write. The message is only logged, because it may quote an
 * object.
 *
 * @param exception the name of the class, and the HTTP status
 * @param cleanup whether the object was being deleted
 * @param write the failed write; {@code null} if the run did not fail because of a write
 */
public record RunFailure(String exception, boolean cleanup, @Nullable FailedWrite write) {

	/**
	 * Returns the reportable part of a failure.
	 * @param failure the exception of the run
	 * @param step the step of the run that threw it
	 * @return the failure
	 */
	public static RunFailure of(Throwable failure, RunStep step) {
		WriteFailedException refusal = WriteFailedException.in(failure);
		return new RunFailure(name(failure), step.isCleanup(), (refusal != null) ? refusal.getWrite() : null);
	}

	private static String name(Throwable failure) {
		if (failure instanceof WriteFailedException refusal) {
			return name(WriteFailedException.class, refusal.getCode());
		}
		if (failure instanceof ApiException refusal) {
			return name(ApiException.class, refusal.getCode());
		}
		if (failure instanceof UnreadableObjectException unreadable) {
			// The message contains nothing of the object except field names.
			return "%s (%s)".formatted(UnreadableObjectException.class.getName(), unreadable.getMessage());
		}
		return failure.getClass().getName();
	}

	private static String name(Class<?> type, int code) {
		return (code > 0) ? "%s (HTTP %d)".formatted(type.getName(), code) : type.getName();
	}

	@Override
	public String toString() {
		String of = (this.write != null) ? " of %s".formatted(this.write) : "";
		String answer = (this.write != null && !this.write.answer().isEmpty()) ? ", " + this.write.answer() : "";
		return this.exception + of + answer + (this.cleanup ? " in the cleanup" : "");
	}

}
