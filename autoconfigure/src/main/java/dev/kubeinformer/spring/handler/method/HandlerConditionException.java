package dev.kubeinformer.spring.handler.method;

import dev.kubeinformer.spring.bean.ConditionFailedException;

/**
 * Thrown to the error handler when the condition of a handler's method cannot be
 * evaluated for an event. It names the kind of the failure and has no cause, for the
 * message of that may quote the object and would reach the log.
 */
public class HandlerConditionException extends ConditionFailedException {

	private static final long serialVersionUID = 1L;

	HandlerConditionException(String condition, Exception failure) {
		super(condition, failure);
	}

}
