package dev.kubeinformer.internal.controller;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.handler.HandlerStatus;

/**
 * Failures of a function of the application that maps changes to keys, or of a condition.
 * Remembers the class of the last exception. Safe for use by several threads.
 */
final class UserFunction {

	private final FailingFunction.Kind kind;

	private final String resource;

	private volatile @Nullable String exceptionClass;

	UserFunction(FailingFunction.Kind kind, String resource) {
		this.kind = kind;
		this.resource = resource;
	}

	void failed(Throwable failure) {
		this.exceptionClass = failure.getClass().getName();
	}

	/**
	 * Returns the current failure of the function.
	 * @param handler the status of the handler that calls the function
	 * @return the failure; {@code null} if no change waits for another attempt
	 */
	@Nullable FailingFunction failing(HandlerStatus handler) {
		HandlerStatus.Failure last = handler.lastError();
		if (last == null) {
			return null;
		}
		HandlerStatus.Handling handling = handler.handling();
		boolean again = handling != null && handling.key().equals(last.key());
		// The handler does not count an attempt that is running as waiting.
		int objects = Math.max(handler.queue().waitingForRetry(), again ? 1 : 0);
		return (objects > 0) ? new FailingFunction(this.kind, this.resource, objects, last.at(), last.key(),
				Objects.requireNonNullElse(this.exceptionClass, last.exception())) : null;
	}

}
